import * as Effect from "effect/Effect"

// Available in every server runtime. Core includes no platform types, so it is typed here. Without it (in a browser),
// no server shares the event loop, and a microtask is enough.
const { setImmediate: later = queueMicrotask } = globalThis as {
  readonly setImmediate?: (then: () => void) => unknown
}

/** Yields to the event loop, and not only to other fibers, so that arrived requests are read before this completes. */
export const yieldToEventLoop: Effect.Effect<void> = Effect.async<void>((resume) => {
  later(() => resume(Effect.void))
})
