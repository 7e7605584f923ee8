/**
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/**
 * All or nothing. What `work` stores becomes visible at once when it succeeds
 * and leaves no trace when it fails, whether by a refusal or by a defect. Work
 * inside work joins it. Nothing outside the database is called within.
 *
 * @since 0.1.0
 * @category ports
 */
export class UnitOfWork extends Context.Tag("@trailbook/core/UnitOfWork")<
  UnitOfWork,
  {
    readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Reads that all see the same moment, and that keep nobody from writing. Nothing may be written within. */
    readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {}
