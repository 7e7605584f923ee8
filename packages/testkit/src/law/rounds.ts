import * as Effect from "effect/Effect"
import { type Steps, toEffect } from "./Law.ts"

/** Runs this for several rounds, a quarter of the number of cases of a law. */
export const rounds = <E, R>(runs: number, round: (at: number) => Steps<E, R>): Effect.Effect<void, E, R> =>
  Effect.forEach(
    Array.from({ length: Math.max(3, Math.ceil(runs / 4)) }),
    (_, at) => Effect.suspend(() => toEffect(round(at))),
    { discard: true }
  )
