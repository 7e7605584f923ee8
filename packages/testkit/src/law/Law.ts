import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { YieldWrap } from "effect/Utils"
import { LawFailed } from "./LawFailed.ts"

/**
 * One promise that every storage adapter keeps. A law is a value, so that a
 * suite can run it, a document can list it, and a control can watch it fail.
 */
export interface Law {
  /** `bookings/find`: what known gaps are named by. It does not change. */
  readonly key: `${string}/${string}`
  /** The promise in one sentence; the name of its test. */
  readonly says: string
  /** Dies with a `LawFailed` when the storage, which was empty, breaks the promise. */
  readonly check: (conditions: Conditions) => Effect.Effect<void, never, Storage>
}

export interface Conditions {
  /** How many generated cases a law tries. */
  readonly runs: number
  /** Which cases: the same ones for the same seed, others every time when left out. */
  readonly seed?: number
  /** Whether a case that fails is made smaller; off where failing is expected. */
  readonly shrink: boolean
  /** The storage whose answers are right in a model run. */
  readonly reference: Layer.Layer<Storage>
}

/** What is to succeed: an effect, or the body of one as `Effect.gen` takes it. */
export type Steps<E = never, R = Storage> =
  | Effect.Effect<void, E, R>
  | Generator<YieldWrap<Effect.Effect<unknown, E, R>>, void, never>

export const toEffect = <E, R>(steps: Steps<E, R>): Effect.Effect<void, E, R> =>
  Effect.isEffect(steps) ? steps : Effect.gen(() => steps)

export const law = (key: Law["key"], says: string, check: (conditions: Conditions) => Steps): Law => ({
  key,
  says,
  check: (conditions) =>
    Effect.catchAllDefect(
      Effect.suspend(() => toEffect(check(conditions))),
      (defect) => Effect.die(new LawFailed({ key, says }, defect))
    )
})
