import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "../time/Instant.ts"
import type { Attribution } from "./Forecast.ts"
import { type SignalUnavailable, signalUnavailable } from "./SignalUnavailable.ts"

/** A gauge's latest measurement and its time. */
export interface Measurement {
  readonly value: number
  readonly at: Instant
}

/** A river at a public gauge. Null means that the gauge does not measure the value or does not currently report it. */
export interface RiverReading {
  readonly _tag: "River"
  readonly site: string
  /** The flow in cubic feet per second. */
  readonly flowCfs: Measurement | null
  /** The water level at the gauge, in feet. It is negative if the water is below the gauge's zero. */
  readonly gageFt: Measurement | null
  readonly source: string
  readonly attribution: Attribution
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
  static readonly none = RiverGauge.of({ at: () => Effect.succeed(signalUnavailable("The river gauge", "unset")) })
  static readonly layerNone = Layer.succeed(RiverGauge, RiverGauge.none)
}
