/** Which seasons are played: `npm run test:season` plays all 200, the tests of every change some of each half. */
export const seasons = (half: "odd" | "even", some: number): ReadonlyArray<number> =>
  Array.from(
    { length: process.env["TEST_SEASONS"] === "all" ? 100 : some },
    (_, at) => 2 * at + (half === "odd" ? 1 : 2)
  )
