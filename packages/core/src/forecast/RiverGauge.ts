import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "../time/Instant.ts"
import type { Attribution } from "./Forecast.ts"
import { type SignalUnavailable, signalUnavailable } from "./SignalUnavailable.ts"

/**
 * What a gauge measured last, and when.
 *
 * @category models
 */
export interface Measurement {
  readonly value: number
  readonly at: Instant
}

/**
 * A river at a public gauge. Null is not measured there, or not reported now.
 *
 * @category models
 */
export interface River {
  readonly _tag: "River"
  readonly site: string
  /** Cubic feet a second. */
  readonly flowCfs: Measurement | null
  /** The height of the water at the gauge, in feet; below zero where the gauge begins above the bed. */
  readonly gageFt: Measurement | null
  readonly source: string
  readonly attribution: Attribution
}

/**
 * How high rivers are. It always answers, within some seconds, with a reading or
 * with the reason why there is none; so it is never asked within a unit of work.
 *
 * @category ports
 */
export class RiverGauge extends Context.Tag("@trailbook/core/RiverGauge")<
  RiverGauge,
  {
    /** The newest readings of a gauge, by its site number. */
    readonly at: (site: string) => Effect.Effect<River | SignalUnavailable>
  }
>() {
  /** Nobody is asked. */
  static readonly none = RiverGauge.of({ at: () => Effect.succeed(signalUnavailable("The river gauge", "unset")) })
  static readonly layerNone = Layer.succeed(RiverGauge, RiverGauge.none)
}
