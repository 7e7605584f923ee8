import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "../time/Instant.ts"
import { type SignalUnavailable, signalUnavailable } from "./SignalUnavailable.ts"

/**
 * A point on the earth, in degrees: latitude −90 to 90, longitude −180 to 180.
 *
 * @category models
 */
export interface Spot {
  readonly lat: number
  readonly lon: number
}

/**
 * The weather from one moment to another, an hour as a rule. Null is not known.
 *
 * @category models
 */
export interface ForecastHour {
  readonly from: Instant
  readonly to: Instant
  readonly tempC: number | null
  readonly windKph: number | null
  /** The strongest gust of the hour. */
  readonly gustKph: number | null
  /** What falls during the hour, in millimetres of water. */
  readonly precipMm: number | null
  /** How likely it is that anything falls, 0 to 100. */
  readonly precipPct: number | null
  readonly thunder: boolean | null
}

/**
 * Whose data it is. It is shown, with its link, wherever the data is.
 *
 * @category models
 */
export interface Attribution {
  readonly text: string
  readonly url: string
}

/**
 * @category models
 */
export interface Hours {
  readonly _tag: "Hours"
  readonly hours: ReadonlyArray<ForecastHour>
  /** When the forecast was made; where its source does not say, when it was read. */
  readonly issuedAt: Instant
  /** When it was read from its source. */
  readonly readAt: Instant
  readonly source: string
  readonly attribution: Attribution
}

/**
 * What the weather is going to be. It always answers, within some seconds, with
 * hours or with the reason why there are none; so it is never asked within a unit of work.
 *
 * @category ports
 */
export class Forecast extends Context.Tag("@trailbook/core/Forecast")<
  Forecast,
  {
    /** The days to come at a place, as far ahead as the source knows. */
    readonly at: (spot: Spot) => Effect.Effect<Hours | SignalUnavailable>
  }
>() {
  /** Nobody is asked. */
  static readonly none = Forecast.of({ at: () => Effect.succeed(signalUnavailable("The weather forecast", "unset")) })
  static readonly layerNone = Layer.succeed(Forecast, Forecast.none)
}
