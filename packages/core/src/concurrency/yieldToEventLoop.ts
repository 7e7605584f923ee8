import * as Effect from "effect/Effect"

// Every server has it; only the types of a platform would say so, and core has none. Where it is missing nobody serves.
const { setImmediate: later = queueMicrotask } = globalThis as {
  readonly setImmediate?: (then: () => void) => unknown
}

/**
 * Gives way to the event loop, and not only to other fibers: every request that
 * has arrived is read before it is over.
 */
export const yieldToEventLoop: Effect.Effect<void> = Effect.async<void>((resume) => {
  later(() => resume(Effect.void))
})
