import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { Run } from "./McpServerContext.ts"

/**
 * Runs effects with the clock and log of the fiber that created the function. An effect continues if its client
 * disconnects. To get the result, the client can retry with the same idempotency key.
 */
export const make: Effect.Effect<Run> = Effect.map(
  Effect.runtime(),
  (runtime) => (effect) => Runtime.runPromise(runtime, Effect.either(effect))
)
