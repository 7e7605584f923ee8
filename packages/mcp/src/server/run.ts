import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { Run } from "./McpServerContext.ts"

/**
 * Runs as the fiber that makes it does, by its clock and with its log. What was
 * started goes on when its caller hangs up: asked again with the same key, it
 * gives its answer.
 */
export const make: Effect.Effect<Run> = Effect.map(
  Effect.runtime(),
  (runtime) => (effect) => Runtime.runPromise(runtime, Effect.either(effect))
)
