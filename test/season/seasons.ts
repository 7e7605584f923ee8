/**
 * Which seasons are played: `npm run test:season` plays all 200, the tests of every change some of each half, and
 * `TEST_SEASONS=21-40` those with these seeds.
 */
export const seasons = (half: "odd" | "even", some: number): ReadonlyArray<number> => {
  const wanted = process.env["TEST_SEASONS"] ?? ""
  const [from = 1, to = 200] = wanted === "all" ? [] : wanted.split("-").filter((part) => part !== "").map(Number)
  const seeds = Array.from({ length: 200 }, (_, at) => at + 1).filter((seed) => (seed % 2 === 1) === (half === "odd"))
  return wanted === "" ? seeds.slice(0, some) : seeds.filter((seed) => seed >= from && seed <= to)
}
