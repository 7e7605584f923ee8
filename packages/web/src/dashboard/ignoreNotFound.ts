import type { Refusal } from "@trailbook/core"
import * as Effect from "effect/Effect"

/** Ignores `not_found` on deletion, because the resource is already gone. */
export const ignoreNotFound = <A, E extends Refusal, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A | void, E, R> =>
  Effect.catchIf(work, ({ code }) => code === "not_found", () => Effect.void)
