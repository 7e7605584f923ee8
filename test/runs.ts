/**
 * How much a test run tries. `npm test` tries few cases and skips `*.long.test.ts`. `TEST_LONG=1 npm test`, which CI runs,
 * includes every file. `TEST_LONG=all` (`npm run test:all`) also runs the largest tests with all of their cases.
 */

const depth = process.env["TEST_LONG"]

export const isLong = depth !== undefined

export const isComplete = depth === "all"

/** The number of cases of a test. `long` is for tests whose complete run is too expensive for each change. */
export const runs = (all: number, few: number, long = all): number => isComplete ? all : isLong ? long : few

/**
 * The seed of the generators that are not fast-check's. It changes every day, so CI tries new cases without trying more.
 * The configuration sets it and `test/postgres/globalSetup.ts` prints it; `TEST_SEED=20260602` repeats the cases of that day.
 */
export const seed = Number(process.env["TEST_SEED"] ?? 1)

/**
 * A part of a list of independent cases, one of `parts`. It changes with the seed, so `npm test` tries every case
 * within `parts` days. `TEST_LONG` tries all of them.
 */
export const sample = <A>(cases: ReadonlyArray<A>, parts: number): ReadonlyArray<A> =>
  isLong ? cases : cases.filter((_, at) => at % parts === seed % parts)
