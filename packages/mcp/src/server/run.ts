import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { Run } from "./McpServerContext.ts"

/**
 * Runs effects with the clock and the log of the creating fiber. An effect continues if its caller disconnects. A retry
 * with the same key returns its result.
 */
export const make: Effect.Effect<Run> = Effect.map(
  Effect.runtime(),
  (runtime) => (effect) => Runtime.runPromise(runtime, Effect.either(effect))
)
