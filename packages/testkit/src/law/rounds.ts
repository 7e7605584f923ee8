import * as Effect from "effect/Effect"
import { type Steps, toEffect } from "./Law.ts"

/** Runs a quarter as many rounds as the law has cases, but at least 3, or one per case if there are fewer than 3. */
export const rounds = <E, R>(runs: number, round: (at: number) => Steps<E, R>): Effect.Effect<void, E, R> =>
  Effect.forEach(
    Array.from({ length: Math.max(Math.min(3, runs), Math.ceil(runs / 4)) }),
    (_, at) => Effect.suspend(() => toEffect(round(at))),
    { discard: true }
  )
