/**
 * `npm run test:large`: an outfitter of 100,000 bookings, 1,000 offerings and 20,000
 * guests, half of the bookings of one offering and thousands of one guest and of one
 * session, asked through every operation on SQLite and on Postgres. What it takes has
 * ceilings far below what a caller would call hanging. They are for a machine on which
 * `org.get`, which reads one row, takes a millisecond, and on a slower or busier one
 * they rise with that. Exit code 1 says that one was missed. `-- sqlite` asks one of
 * the two, `--bookings 10000` a smaller outfitter.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { freshPostgres } from "../../bench/FreshPostgres.ts"
import { largeOutfitter } from "./largeOutfitter.ts"
import type { Cost, Costs } from "./measure.ts"

/** Milliseconds. */
const ceilings = {
  /** The middle one of the turns of an operation that is about a page or one thing. */
  median: 150,
  /** Any of its turns. */
  longest: 1500,
  /** One that is about all there is, or thousands of bookings. */
  long: 60_000,
  /** The longest that the event loop does nothing else, whatever the operation. */
  stalled: 1000
}
/** That the process takes beyond what it took before it was asked anything. */
const megabytes = 400

const turns = 7

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { bookings: { type: "string", default: "100000" } }
})
const bookings = Number(values.bookings)
const size = { bookings, offerings: Math.ceil(bookings / 100), guests: Math.ceil(bookings / 5), isUneven: true }

/** How many times slower than that machine, at the beginning of the run or at its end; never less than once. */
const slownessOf = ({ costs }: Costs): number =>
  Math.max(1, ...costs.filter(({ name }) => name.startsWith("org.get")).map(({ median }) => median))

const missedBy = (
  { isLong, longest, median, refused, stalled }: Cost,
  ceilings: Readonly<Record<"median" | "longest" | "long" | "stalled", number>>
): ReadonlyArray<string> => [
  ...(refused === undefined ? [] : [refused]),
  ...(isLong || median <= ceilings.median ? [] : [`median over ${ceilings.median} ms`]),
  ...(longest <= (isLong ? ceilings.long : ceilings.longest)
    ? []
    : [`over ${isLong ? ceilings.long : ceilings.longest} ms`]),
  ...(stalled <= ceilings.stalled ? [] : [`nothing else for over ${ceilings.stalled} ms`])
]

const told = (title: string, all: Costs): boolean => {
  const { costs, left, megabytes: most, megabytesBefore } = all
  const slowness = slownessOf(all)
  const allowed = {
    median: Math.round(ceilings.median * slowness),
    longest: Math.round(ceilings.longest * slowness),
    long: Math.round(ceilings.long * slowness),
    stalled: Math.round(ceilings.stalled * slowness)
  }
  const line = (text: string, problems: ReadonlyArray<string>) => {
    process.stdout.write(`  ${text}${problems.length === 0 ? "" : `   MISSED: ${problems.join("; ")}`}\n`)
    return problems.length === 0
  }
  process.stdout.write(`\n${title}\n`)
  const kept = costs.map((cost) =>
    line(
      `${cost.name.padEnd(52)} ${cost.median.toFixed(1).padStart(9)} ms ${cost.longest.toFixed(1).padStart(9)} ms ${
        cost.stalled.toFixed(0).padStart(6)
      } ms`,
      missedBy(cost, allowed)
    )
  )
  const taken = most - megabytesBefore
  kept.push(line(
    `memory: ${megabytesBefore.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`,
    taken <= megabytes ? [] : [`more than ${megabytes} MB beyond`]
  ))
  if (left.length > 0) kept.push(line("", [`nothing asks ${left.join(", ")}`]))
  return kept.every((each) => each)
}

const folder = await mkdtemp(join(tmpdir(), "trailbook-large-"))
const databases: Record<string, () => Promise<Costs>> = {
  sqlite: () => largeOutfitter(`sqlite:${join(folder, "large.sqlite")}`, size, turns),
  postgres: async () => {
    const postgres = await freshPostgres()
    try {
      return await largeOutfitter(postgres.url, size, turns)
    } finally {
      await postgres.stop()
    }
  }
}
let kept = true
try {
  for (const [name, run] of Object.entries(databases)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const title = `${name}: ${size.bookings} bookings, ${size.offerings} offerings, ${size.guests} guests`
    kept = told(`${title}\n  ${"".padEnd(52)}    median       longest   stalled`, await run()) && kept
  }
} finally {
  await rm(folder, { recursive: true })
}
process.exitCode = kept ? 0 : 1
