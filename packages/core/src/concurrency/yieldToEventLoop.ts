import * as Effect from "effect/Effect"

// Every server runtime has `setImmediate`. It is typed here, because core includes no platform types. In a browser, no
// server shares the event loop, so a microtask is enough.
const { setImmediate: later = queueMicrotask } = globalThis as {
  readonly setImmediate?: (then: () => void) => unknown
}

/**
 * Yields to the event loop instead of only to other fibers so that the server reads requests that have arrived before
 * this effect completes.
 */
export const yieldToEventLoop: Effect.Effect<void> = Effect.async<void>((resume) => {
  later(() => resume(Effect.void))
})
