import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import type * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import type { YieldWrap } from "effect/Utils"
import { forAll } from "./forAll.ts"
import { dieWithLawFailed } from "./LawFailed.ts"

/**
 * One rule in the storage contract. A law is a value, so a suite can run it, a document can list it, and a negative
 * control can check that it fails.
 */
export interface Law {
  /** A stable key such as `bookings/find`. Known gaps are listed by this key. */
  readonly key: `${string}/${string}`
  /** The rule in one sentence, which is also the test name. */
  readonly title: string
  /** Dies with a `LawFailed` if the storage breaks the rule. The storage must be empty at the start. */
  readonly check: (conditions: LawConditions) => Effect.Effect<void, never, Storage>
}

export interface LawConditions {
  /** The number of generated cases per law. */
  readonly runs: number
  /** The seed for the cases. Default: random. */
  readonly seed?: number
  /** Whether to shrink a failing case. Off if a failure is expected. */
  readonly shrink: boolean
  /** The storage that a model test treats as correct by definition. */
  readonly reference: Layer.Layer<Storage>
}

/** Steps that must succeed, as an effect or as a generator function for `Effect.gen`. */
export type LawSteps<E = never, R = Storage> =
  | Effect.Effect<void, E, R>
  | Generator<YieldWrap<Effect.Effect<unknown, E, R>>, void, never>

export const toEffect = <E, R>(steps: LawSteps<E, R>): Effect.Effect<void, E, R> =>
  Effect.isEffect(steps) ? steps : Effect.gen(() => steps)

/** Creates a law of any contract. `check` receives the arguments with which the law runs. */
export const makeLaw = <Key extends string, Args extends ReadonlyArray<unknown>, E, R>(
  key: Key,
  title: string,
  check: (...args: Args) => LawSteps<E, R>
) => ({
  key,
  title,
  check: (...args: Args): Effect.Effect<void, never, R> =>
    dieWithLawFailed({ key, title }, Effect.suspend(() => toEffect(check(...args))))
})

export const law = (key: Law["key"], title: string, check: (conditions: LawConditions) => LawSteps): Law =>
  makeLaw(key, title, check)

/**
 * Creates a law that must hold for all values and is checked with generated values. `runsOf` changes the number of
 * runs.
 */
export const lawForAll = <A>(
  key: Law["key"],
  title: string,
  arbitrary: FastCheck.Arbitrary<A>,
  check: (value: A) => LawSteps<unknown>,
  runsOf = (runs: number): number => runs
): Law =>
  law(
    key,
    title,
    (conditions) =>
      forAll({ ...conditions, runs: runsOf(conditions.runs) }, arbitrary, (value) => toEffect(check(value)))
  )

/** Builds laws with a common setup. A case's first generated value is stored, and the law receives the stored data. */
export const makeLawsWithStoredData =
  <Given, Stored>(store: (input: Given) => Effect.Effect<Stored, never, Storage>) =>
  <Rest extends ReadonlyArray<unknown>>(
    key: Law["key"],
    title: string,
    arbitrary: FastCheck.Arbitrary<readonly [Given, ...Rest]>,
    check: (data: Stored, ...rest: Rest) => LawSteps<unknown>,
    runsOf?: (runs: number) => number
  ): Law =>
    lawForAll(
      key,
      title,
      arbitrary,
      ([input, ...rest]) => Effect.flatMap(store(input), (storedData) => toEffect(check(storedData, ...rest))),
      runsOf
    )

/**
 * Runs one round for every four cases of a law, but at least 3 rounds. If the law has fewer than 3 cases, runs one
 * round per case.
 */
export const runRounds = <E, R>(runs: number, round: (at: number) => LawSteps<E, R>): Effect.Effect<void, E, R> =>
  Effect.forEach(
    Array.from({ length: Math.max(Math.min(3, runs), Math.ceil(runs / 4)) }),
    (_, at) => Effect.suspend(() => toEffect(round(at))),
    { discard: true }
  )

export const runConcurrently = <Work extends Effect.Effect<unknown, unknown, unknown>>(effects: ReadonlyArray<Work>) =>
  Effect.all(effects, { concurrency: "unbounded" })

export const yieldRepeatedly = (times: number): Effect.Effect<void> =>
  times === 0 ? Effect.void : Effect.repeatN(Effect.yieldNow(), times - 1)
