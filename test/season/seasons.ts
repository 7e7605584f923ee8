import { seed } from "../runs.ts"

/**
 * Returns the seeds of the seasons to play. `npm run test:season` plays all 200 seasons. Without `TEST_SEASONS`,
 * returns `count` seeds from one half, chosen by the day's seed. `TEST_SEASONS=21-40` selects seeds 21 to 40.
 */
export const seasons = (half: "odd" | "even", count: number): ReadonlyArray<number> => {
  const selection = process.env["TEST_SEASONS"] ?? ""
  const [from = 1, to = 200] = selection === "all" ? [] : selection.split("-").filter((part) => part !== "").map(Number)
  const seeds = Array.from({ length: 200 }, (_, at) => at + 1).filter((each) => (each % 2 === 1) === (half === "odd"))
  return selection === ""
    ? Array.from({ length: count }, (_, at) => seeds[(seed * count + at) % seeds.length] ?? 1)
    : seeds.filter((each) => each >= from && each <= to)
}
