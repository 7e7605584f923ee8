/**
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"

/**
 * Gives way to the event loop, and not only to other fibers: every request that
 * has arrived is read before it is over.
 *
 * @since 0.1.0
 * @category effects
 */
export const turn: Effect.Effect<void> = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})
