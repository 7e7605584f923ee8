import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { YieldWrap } from "effect/Utils"
import { LawFailed } from "./LawFailed.ts"

/**
 * One rule in the storage contract. A law is a value, so a suite can run it, a document can list it, and a negative
 * control can check that it fails.
 */
export interface Law {
  /** A stable key such as `bookings/find`, by which known gaps are listed. */
  readonly key: `${string}/${string}`
  /** The rule in one sentence, used as its test name. */
  readonly title: string
  /** Dies with a `LawFailed` if the storage breaks the rule. The storage must be empty at the start. */
  readonly check: (conditions: Conditions) => Effect.Effect<void, never, Storage>
}

export interface Conditions {
  /** The number of generated cases per law. */
  readonly runs: number
  /** The seed for the cases. Random if omitted. */
  readonly seed?: number
  /** Whether to shrink a failing case. Off if a failure is expected. */
  readonly shrink: boolean
  /** The storage whose results are correct by definition in a model test. */
  readonly reference: Layer.Layer<Storage>
}

/** Steps that must succeed, as an effect or as a generator function for `Effect.gen`. */
export type Steps<E = never, R = Storage> =
  | Effect.Effect<void, E, R>
  | Generator<YieldWrap<Effect.Effect<unknown, E, R>>, void, never>

export const toEffect = <E, R>(steps: Steps<E, R>): Effect.Effect<void, E, R> =>
  Effect.isEffect(steps) ? steps : Effect.gen(() => steps)

export const law = (key: Law["key"], title: string, check: (conditions: Conditions) => Steps): Law => ({
  key,
  title,
  check: (conditions) =>
    Effect.catchAllDefect(
      Effect.suspend(() => toEffect(check(conditions))),
      (defect) => Effect.die(new LawFailed({ key, title }, defect))
    )
})
