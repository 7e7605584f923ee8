import * as Effect from "effect/Effect"

// Every server runtime has `setImmediate`. Its type is declared here, because core includes no platform types. In a
// browser, no server shares the event loop, so a microtask is enough.
const { setImmediate: later = queueMicrotask } = globalThis as {
  readonly setImmediate?: (then: () => void) => unknown
}

/**
 * Yields to the event loop, not only to other fibers. The server can read newly arrived requests before this effect
 * completes.
 */
export const yieldToEventLoop: Effect.Effect<void> = Effect.async<void>((resume) => {
  later(() => resume(Effect.void))
})
