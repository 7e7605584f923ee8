import { seed } from "../runs.ts"

/**
 * The seeds of the seasons to play, all 200 of which `npm run test:season` plays. Without `TEST_SEASONS`, returns
 * `count` seeds from one half, which depend on the day's seed. `TEST_SEASONS=21-40` selects these seeds.
 */
export const seasons = (half: "odd" | "even", count: number): ReadonlyArray<number> => {
  const selection = process.env["TEST_SEASONS"] ?? ""
  const [from = 1, to = 200] = selection === "all" ? [] : selection.split("-").filter((part) => part !== "").map(Number)
  const seeds = Array.from({ length: 200 }, (_, at) => at + 1).filter((each) => (each % 2 === 1) === (half === "odd"))
  return selection === ""
    ? Array.from({ length: count }, (_, at) => seeds[(seed * count + at) % seeds.length] ?? 1)
    : seeds.filter((each) => each >= from && each <= to)
}
