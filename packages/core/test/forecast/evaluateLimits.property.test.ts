import {
  evaluateLimits,
  type LimitEvaluation,
  limitNames,
  type TripLimits
} from "@trailbook/core/forecast/evaluateLimits"
import {
  type ForecastHour,
  type HourlyForecast,
  makeSignalUnavailable,
  type RiverReading
} from "@trailbook/core/forecast/Signals"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import { hideReadings, hourMs, hoursFrom, limits, readings, river, weatherOf } from "./readings.ts"

const start = Instant.make(1_780_000_200_000 - (1_780_000_200_000 % hourMs))

const outing = FastCheck.record({ from: FastCheck.nat(300), minutes: FastCheck.integer({ min: 1, max: 300 }) }).map(
  ({ from, minutes }) => ({
    startsAt: Instant.addMinutes(start, from),
    endsAt: Instant.addMinutes(start, from + minutes)
  })
)

const names = ({ broken }: LimitEvaluation) => broken.map(({ limit }) => limit)

it("with incomplete data, reports only limits that complete data would also break", () => {
  FastCheck.assert(
    FastCheck.property(
      limits,
      outing,
      readings(12),
      FastCheck.infiniteStream(FastCheck.boolean()),
      FastCheck.boolean(),
      (limits, outing, readings, coin, isRiverThere) => {
        const hours = hoursFrom(start, readings)
        const all = evaluateLimits(limits, outing, weatherOf(hours), river)
        const part = evaluateLimits(
          limits,
          outing,
          weatherOf(hideReadings(hours, coin)),
          isRiverThere ? river : makeSignalUnavailable("River", "stale")
        )
        for (const limit of names(part)) expect(names(all)).toContain(limit)
      }
    ),
    { numRuns: 500 }
  )
})

it("shows that missing values must not be treated as 0", () => {
  const zeros = (hours: ReadonlyArray<ForecastHour>) => hours.map((hour) => ({ ...hour, tempC: hour.tempC ?? 0 }))
  const hours = hoursFrom(start, [{ tempC: 12, windKph: 0, gustKph: 0, precipMm: 0, precipPct: 0, thunder: false }])
  const trip = { startsAt: start, endsAt: Instant.addMinutes(start, 60) }
  const holes = hours.map((hour) => ({ ...hour, tempC: null }))
  expect(names(evaluateLimits({ min_temp_c: 5 }, trip, weatherOf(holes), river))).toEqual([])
  expect(names(evaluateLimits({ min_temp_c: 5 }, trip, weatherOf(zeros(holes)), river))).toEqual(["min_temp_c"])
})

/** A second implementation: minute by minute, with complete data. */
const exceededByMinute = (
  limits: TripLimits,
  outing: typeof outingType,
  hours: ReadonlyArray<ForecastHour>
): ReadonlyArray<string> => {
  const minutes: Array<ForecastHour> = []
  for (let at = outing.startsAt; at < outing.endsAt; at = Instant.addMinutes(at, 1)) {
    const hour = hours.find(({ from, to }) => from <= at && at < to)
    if (hour !== undefined) minutes.push(hour)
  }
  const any = (is: (hour: ForecastHour) => boolean) => minutes.some(is)
  const rain = minutes.reduce((sum, { precipMm }) => sum + (precipMm ?? 0) / 60, 0)
  const isOver = (value: number | null, bound: number | null | undefined) =>
    value !== null && value > (bound ?? Infinity)
  const tests: { readonly [name: string]: boolean } = {
    max_wind_kph: any(({ windKph }) => isOver(windKph, limits.max_wind_kph)),
    max_gust_kph: any(({ gustKph }) => isOver(gustKph, limits.max_gust_kph)),
    max_precip_mm: Math.round(rain * 1000) / 1000 > (limits.max_precip_mm ?? Infinity),
    max_precip_pct: any(({ precipPct }) => isOver(precipPct, limits.max_precip_pct)),
    min_temp_c: any(({ tempC }) => tempC !== null && tempC < (limits.min_temp_c ?? -Infinity)),
    max_temp_c: any(({ tempC }) => isOver(tempC, limits.max_temp_c)),
    thunder: limits.thunder === true && any(({ thunder }) => thunder === true),
    min_flow_cfs: 900 < (limits.min_flow_cfs ?? -Infinity),
    max_flow_cfs: 900 > (limits.max_flow_cfs ?? Infinity),
    min_gage_ft: 4 < (limits.min_gage_ft ?? -Infinity),
    max_gage_ft: 4 > (limits.max_gage_ft ?? Infinity)
  }
  return limitNames.filter((name) => tests[name])
}
declare const outingType: { readonly startsAt: Instant.Instant; readonly endsAt: Instant.Instant }

it("matches a minute-by-minute check if the data is complete", () => {
  FastCheck.assert(
    FastCheck.property(limits, outing, readings(12), (limits, outing, readings) => {
      const hours = hoursFrom(start, readings)
      const { broken, unknown } = evaluateLimits(limits, outing, weatherOf(hours), river)
      expect(broken.map(({ limit }) => limit).toSorted()).toEqual(exceededByMinute(limits, outing, hours).toSorted())
      expect(unknown).toEqual([])
    }),
    { numRuns: 300 }
  )
})

it("reports only configured limits, and each at most once", () => {
  FastCheck.assert(
    FastCheck.property(
      limits,
      outing,
      readings(12),
      FastCheck.infiniteStream(FastCheck.boolean()),
      (limits, outing, readings, coin) => {
        const { broken, unknown } = evaluateLimits(
          limits,
          outing,
          weatherOf(hideReadings(hoursFrom(start, readings), coin)),
          river
        )
        const reportedLimits = [...broken.map(({ limit }) => limit), ...unknown]
        expect(new Set(reportedLimits).size).toBe(reportedLimits.length)
        for (const limit of reportedLimits) expect(limits[limit] ?? false).not.toBe(false)
      }
    ),
    { numRuns: 200 }
  )
})

it("reports an exceeded maximum even if hours are missing", () => {
  const calm = { tempC: 20, windKph: 5, gustKph: 5, precipMm: 1, precipPct: 5, thunder: false }
  const hole = { tempC: null, windKph: null, gustKph: null, precipMm: null, precipPct: null, thunder: null }
  const storm = { tempC: -5, windKph: 90, gustKph: 120, precipMm: 30, precipPct: 100, thunder: true }
  const trip = { startsAt: start, endsAt: Instant.addMinutes(start, 180) }
  const limits = { max_gust_kph: 60, max_precip_mm: 10, min_temp_c: 5, thunder: true, max_flow_cfs: 100 }
  const flowless: RiverReading = { ...river, flowCfs: null }
  const evaluation = evaluateLimits(limits, trip, weatherOf(hoursFrom(start, [calm, hole, storm])), flowless)
  expect(names(evaluation)).toEqual(["max_gust_kph", "thunder"])
  expect(evaluation.unknown).toEqual(["max_precip_mm", "min_temp_c", "max_flow_cfs"])
  const none: HourlyForecast = weatherOf([])
  expect(evaluateLimits(limits, trip, none, makeSignalUnavailable("River", "slow"))).toEqual({
    broken: [],
    unknown: ["max_gust_kph", "thunder", "max_precip_mm", "min_temp_c", "max_flow_cfs"]
  })
})
