/**
 * How thorough a test run is. `npm test` runs few cases and skips `*.long.test.ts`. `TEST_LONG=1 npm test`, which CI
 * runs, includes every file. `TEST_LONG=all` (`npm run test:all`) also runs the largest tests with all of their cases.
 */

const depth = process.env["TEST_LONG"]

export const isLong = depth !== undefined

export const isComplete = depth === "all"

/** Returns the number of cases for a test. `long` is for tests whose complete run is too expensive for every change. */
export const runs = (all: number, few: number, long = all): number => isComplete ? all : isLong ? long : few

/**
 * The seed for generators other than fast-check's. It changes every day, so CI covers new cases without running more
 * cases. The configuration sets the seed, and `test/postgres/globalSetup.ts` prints it. `TEST_SEED=20260602` repeats
 * that day's cases.
 */
export const seed = Number(process.env["TEST_SEED"] ?? 1)

/**
 * Splits independent cases into `parts` parts and returns one of them. The part changes with the seed, so `npm test`
 * covers every case within `parts` days. `TEST_LONG` runs all of them.
 */
export const sample = <A>(cases: ReadonlyArray<A>, parts: number): ReadonlyArray<A> =>
  isLong ? cases : cases.filter((_, at) => at % parts === seed % parts)
