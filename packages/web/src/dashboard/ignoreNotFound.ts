import type { Refusal } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"

/** Ends something that may be over already, or never was: that is what was wanted. */
export const ignoreNotFound = <A, E extends Refusal, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A | void, E, R> =>
  Effect.catchIf(work, ({ code }) => code === "not_found", () => Effect.void)
