/**
 * Which tier of tests runs: `npm test`, or with `TEST_LONG=1` the one that takes its time.
 */

export const isLong = process.env["TEST_LONG"] !== undefined

/** How many cases a test tries: all of them in the long tier, which runs every file that asks, and a few in `npm test`. */
export const runs = (all: number, few: number): number => isLong ? all : few
