import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "../time/Instant.ts"
import { type SignalUnavailable, signalUnavailable } from "./SignalUnavailable.ts"

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
export interface Attribution {
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
  readonly attribution: Attribution
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
  static readonly none = Forecast.of({ at: () => Effect.succeed(signalUnavailable("The weather forecast", "unset")) })
  static readonly layerNone = Layer.succeed(Forecast, Forecast.none)
}
