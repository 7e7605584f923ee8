/**
 * The recent weather and river data for an offering. It comes from external services, so never read it inside a
 * transaction.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import {
  Forecast,
  type HourlyForecast,
  type Measurement,
  RiverGauge,
  type RiverReading,
  type SignalUnavailable,
  signalUnavailable
} from "../forecast/Signals.ts"
import type { Offering } from "../offering/Offering.ts"
import type { Instant } from "../time/Instant.ts"

export interface WeatherData {
  /** The weather. Undefined if the offering has no coordinates. */
  readonly weather: HourlyForecast | SignalUnavailable | undefined
  /** The river level. Undefined if the offering has no gauge. */
  readonly river: RiverReading | SignalUnavailable | undefined
}

/** Creates a reader of weather and river data. If no source is configured, no data is available. */
export const makeWeatherReader = Effect.gen(function*() {
  const forecast = Option.getOrElse(yield* Effect.serviceOption(Forecast), () => Forecast.none)
  const gauge = Option.getOrElse(yield* Effect.serviceOption(RiverGauge), () => RiverGauge.none)

  const readOffering = ({ gaugeSite, lat, lon }: Offering, now: Instant): Effect.Effect<WeatherData> =>
    Effect.all({
      weather: lat === null || lon === null
        ? Effect.succeed(undefined)
        : Effect.map(forecast.at({ lat, lon }), (answer) => dropStaleHours(answer, now)),
      river: gaugeSite === null
        ? Effect.succeed(undefined)
        : Effect.map(gauge.at(gaugeSite), (answer) => dropStaleReadings(answer, now))
    }, { concurrency: "unbounded" })

  return {
    /** Reads the data for several offerings, once per offering. */
    of: (offerings: ReadonlyArray<Offering>, now: Instant): Effect.Effect<ReadonlyMap<string, WeatherData>> => {
      const each = [...new Map(offerings.map((offering) => [offering.id, offering])).values()]
      return Effect.map(
        Effect.forEach(
          each,
          (offering) => Effect.map(readOffering(offering, now), (weather) => [offering.id, weather] as const),
          {
            concurrency: atOnce
          }
        ),
        (entries) => new Map(entries)
      )
    }
  }
})

/** Weather services reject hundreds of concurrent requests. */
const atOnce = 4

const minuteMs = 60_000

/**
 * The maximum age for each kind of data, in milliseconds. A forecast is valid for 3 hours after it is read if it was
 * issued within the last 12 hours, because weather services update their forecasts two to four times a day. A gauge
 * reading is valid for 2 hours after its measurement. Sources can cache data for any length of time, so its age is
 * checked where it is used.
 */
const maxAgeMs = { forecast: 180 * minuteMs, issue: 720 * minuteMs, gauge: 120 * minuteMs } as const

/** The tolerance for clock differences. Data further ahead of the clock is dropped. */
const aheadMs = 10 * minuteMs

const isFresh = (at: Instant, now: Instant, forMs: number): boolean => at >= now - forMs && at <= now + aheadMs

/** Returns the forecast, unless it is stale. */
export const dropStaleHours = (
  answer: HourlyForecast | SignalUnavailable,
  now: Instant
): HourlyForecast | SignalUnavailable =>
  answer._tag === "NoSignal" ||
    (isFresh(answer.readAt, now, maxAgeMs.forecast) && isFresh(answer.issuedAt, now, maxAgeMs.issue))
    ? answer
    : signalUnavailable(answer.source, "stale")

/** Removes stale values from a reading. */
export const dropStaleReadings = (
  answer: RiverReading | SignalUnavailable,
  now: Instant
): RiverReading | SignalUnavailable => {
  if (answer._tag === "NoSignal") return answer
  const counts = (measured: Measurement | null): Measurement | null =>
    measured !== null && Number.isFinite(measured.value) && measured.value !== noValue &&
      isFresh(measured.at, now, maxAgeMs.gauge)
      ? measured
      : null
  const flowCfs = counts(answer.flowCfs)
  const gageFt = counts(answer.gageFt)
  return flowCfs === null && gageFt === null
    ? signalUnavailable(answer.source, "stale")
    : { ...answer, flowCfs, gageFt }
}

/** The value that gauges report if they have no data. */
const noValue = -999_999
