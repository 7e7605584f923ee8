import { limitNames, type TripLimits } from "@trailbook/core/forecast/evaluateLimits"
import type { ForecastHour, HourlyForecast, RiverReading } from "@trailbook/core/forecast/Signals"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"

export const hourMs = 3_600_000

export type Reading = Omit<ForecastHour, "from" | "to">

const value = (max: number, min = 0) => FastCheck.integer({ min, max })

/** Complete readings for the given number of hours. */
export const readings = (count: number): FastCheck.Arbitrary<ReadonlyArray<Reading>> =>
  FastCheck.array(
    FastCheck.record({
      tempC: value(40, -20),
      windKph: value(100),
      gustKph: value(150),
      precipMm: value(20),
      precipPct: value(100),
      thunder: FastCheck.boolean()
    }),
    { minLength: count, maxLength: count }
  )

const anyLimits = {
  max_wind_kph: FastCheck.option(value(100)),
  max_gust_kph: FastCheck.option(value(150)),
  max_precip_mm: FastCheck.option(value(60)),
  max_precip_pct: FastCheck.option(value(100)),
  min_temp_c: FastCheck.option(value(40, -20)),
  max_temp_c: FastCheck.option(value(40, -20)),
  thunder: FastCheck.option(FastCheck.boolean()),
  min_flow_cfs: FastCheck.option(value(1000)),
  max_flow_cfs: FastCheck.option(value(1000)),
  min_gage_ft: FastCheck.option(value(8)),
  max_gage_ft: FastCheck.option(value(8))
}

export const limits: FastCheck.Arbitrary<TripLimits> = FastCheck.tuple(
  FastCheck.record(anyLimits),
  FastCheck.subarray([...limitNames])
).map(
  // Not every limit is set.
  ([all, names]) => Object.fromEntries(names.map((name) => [name, all[name]]))
)

export const hoursFrom = (start: Instant.Instant, readings: ReadonlyArray<Reading>): ReadonlyArray<ForecastHour> =>
  readings.map((reading, at) => ({
    ...reading,
    from: Instant.make(start + at * hourMs),
    to: Instant.make(start + (at + 1) * hourMs)
  }))

/** Returns the same readings with some hours missing and some values null. */
export const hideReadings = (
  hours: ReadonlyArray<ForecastHour>,
  coin: FastCheck.Stream<boolean>
): ReadonlyArray<ForecastHour> => {
  const heads = () => coin.next().value === true
  return hours.flatMap((hour) =>
    heads() && heads() ? [] : [{
      ...hour,
      tempC: heads() ? null : hour.tempC,
      windKph: heads() ? null : hour.windKph,
      gustKph: heads() ? null : hour.gustKph,
      precipMm: heads() ? null : hour.precipMm,
      precipPct: heads() ? null : hour.precipPct,
      thunder: heads() ? null : hour.thunder
    }]
  )
}

export const weatherOf = (hours: ReadonlyArray<ForecastHour>, at = Instant.make(0)): HourlyForecast => ({
  _tag: "Hours",
  hours,
  issuedAt: at,
  readAt: at,
  source: "Sky",
  attribution: { text: "Sky", url: "https://example.com/sky" }
})

export const river: RiverReading = {
  _tag: "River",
  site: "09380000",
  flowCfs: { value: 900, at: Instant.make(0) },
  gageFt: { value: 4, at: Instant.make(0) },
  source: "River",
  attribution: { text: "River", url: "https://example.com/river" }
}
