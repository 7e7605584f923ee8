/**
 * The ports of the external sources of weather and river data. Callers continue without missing data, because it is
 * never a reason to act.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "../time/Instant.ts"

/** The reasons why a source returned no data, as text that follows the source's name. */
export const signalUnavailableReasons = {
  unset: "is not configured",
  unreachable: "is unreachable",
  slow: "did not respond in time",
  limited: "rejected the request because of its rate limit",
  refused: "rejected the request",
  broken: "failed",
  unreadable: "returned data in an unknown format",
  units: "returned data in unknown units",
  nowhere: "has no data for this location",
  stale: "has no recent data"
} as const

export type SignalUnavailableReason = keyof typeof signalUnavailableReasons

export interface SignalUnavailable {
  readonly _tag: "NoSignal"
  /** The source's name, such as Open-Meteo. */
  readonly source: string
  readonly reason: SignalUnavailableReason
}

export const makeSignalUnavailable = (source: string, reason: SignalUnavailableReason): SignalUnavailable => ({
  _tag: "NoSignal",
  source,
  reason
})

/** Formats the reason as a sentence, such as `Open-Meteo did not respond in time.` */
export const formatSignalUnavailable = ({ reason, source }: SignalUnavailable): string =>
  `${source} ${signalUnavailableReasons[reason]}.`

/** A point on Earth, in degrees. The latitude ranges from −90 to 90, and the longitude from −180 to 180. */
export interface Coordinates {
  readonly lat: number
  readonly lon: number
}

/** The weather for a period, usually an hour. Null means unknown. */
export interface ForecastHour {
  readonly from: Instant
  readonly to: Instant
  readonly tempC: number | null
  readonly windKph: number | null
  /** The strongest gust in the period. */
  readonly gustKph: number | null
  /** Precipitation during the period, in millimeters of water. */
  readonly precipMm: number | null
  /** Probability of precipitation, 0 to 100. */
  readonly precipPct: number | null
  readonly thunder: boolean | null
}

/** The data source, which must be credited with its link wherever the data is shown. */
export interface DataAttribution {
  readonly text: string
  readonly url: string
}

export interface HourlyForecast {
  readonly _tag: "Hours"
  readonly hours: ReadonlyArray<ForecastHour>
  /** When the source issued the forecast. If the source does not report it, this equals `readAt`. */
  readonly issuedAt: Instant
  /** When the forecast was read from the source. */
  readonly readAt: Instant
  readonly source: string
  readonly attribution: DataAttribution
}

/**
 * Provides weather forecasts. The service always responds within seconds, with either data or the reason why none is
 * available. It is never called inside a transaction.
 */
export class Forecast extends Context.Tag("@trailbook/core/Forecast")<
  Forecast,
  {
    /** Returns the forecast for a location, for as many hours as the source provides. */
    readonly at: (spot: Coordinates) => Effect.Effect<HourlyForecast | SignalUnavailable>
  }
>() {
  /** A service without a source. No data is available. */
  static readonly none = Forecast.of({
    at: () => Effect.succeed(makeSignalUnavailable("The weather forecast", "unset"))
  })
  static readonly layerNone = Layer.succeed(Forecast, Forecast.none)
}

/** A gauge's latest measurement and its time. */
export interface GaugeMeasurement {
  readonly value: number
  readonly at: Instant
}

/** A river at a public gauge. Null means that the gauge does not measure the value or does not currently report it. */
export interface RiverReading {
  readonly _tag: "River"
  readonly site: string
  /** The flow in cubic feet per second. */
  readonly flowCfs: GaugeMeasurement | null
  /** The water level at the gauge, in feet. It is negative if the water is below the gauge's zero. */
  readonly gageFt: GaugeMeasurement | null
  readonly source: string
  readonly attribution: DataAttribution
}

/**
 * Provides river levels. The service always responds within seconds, with either data or the reason why none is
 * available. It is never called inside a transaction.
 */
export class RiverGauge extends Context.Tag("@trailbook/core/RiverGauge")<
  RiverGauge,
  {
    /** Returns the latest readings from the gauge with this site number. */
    readonly at: (site: string) => Effect.Effect<RiverReading | SignalUnavailable>
  }
>() {
  /** A service without a source. No data is available. */
  static readonly none = RiverGauge.of({ at: () => Effect.succeed(makeSignalUnavailable("The river gauge", "unset")) })
  static readonly layerNone = Layer.succeed(RiverGauge, RiverGauge.none)
}
