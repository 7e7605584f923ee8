/**
 * `npm run test:large` measures every operation on SQLite and Postgres for an outfitter with 100,000 bookings, 1,000
 * offerings, and 20,000 guests. One offering has half of the bookings, and one guest and one session have thousands of
 * bookings each. The time limits assume a machine on which `org.get`, which reads one row, takes 1 ms. On slower or
 * busier machines, the limits scale with this time. Exits with 1 if a limit is exceeded. `-- sqlite` selects one
 * database, and `--bookings 10000` selects a smaller outfitter.
 *
 * `npm run test:large -- outfitters` measures one Postgres server with 100,000 outfitters, one of which has 10 million
 * bookings. `--outfitters 10000 --noisy-bookings 1000000` selects a smaller run.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { freshPostgres } from "../../bench/FreshPostgres.ts"
import { largeOutfitter } from "./largeOutfitter.ts"
import { manyOutfitters } from "./manyOutfitters.ts"
import type { Cost, Costs } from "./measure.ts"

/** Limits in milliseconds. */
const ceilings = {
  /** The median over all turns of an operation on a page or a single resource. */
  median: 150,
  /** A single turn of such an operation. */
  longest: 1500,
  /** A single turn of an operation on all data or on thousands of bookings. */
  long: 60_000,
  /** The longest time that any operation may block the event loop. */
  stalled: 1000
}
/** The maximum growth in process memory during the measurement. */
const megabytes = 400

const turns = 7

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    bookings: { type: "string", default: "100000" },
    outfitters: { type: "string", default: "100000" },
    "noisy-bookings": { type: "string", default: "10000000" }
  }
})
const bookings = Number(values.bookings)
const size = { bookings, offerings: Math.ceil(bookings / 100), guests: Math.ceil(bookings / 5), isUneven: true }

/**
 * Returns how many times slower this machine is than the reference, based on `org.get` at the start and the end. At
 * least 1.
 */
const computeSlowness = ({ costs }: Costs): number =>
  Math.max(1, ...costs.filter(({ name }) => name.startsWith("org.get")).map(({ median }) => median))

const findMissed = (
  { isLong, longest, median, refused, stalled }: Cost,
  ceilings: Readonly<Record<"median" | "longest" | "long" | "stalled", number>>
): ReadonlyArray<string> => [
  ...(refused === undefined ? [] : [refused]),
  ...(isLong || median <= ceilings.median ? [] : [`median over ${ceilings.median} ms`]),
  ...(longest <= (isLong ? ceilings.long : ceilings.longest)
    ? []
    : [`over ${isLong ? ceilings.long : ceilings.longest} ms`]),
  ...(stalled <= ceilings.stalled ? [] : [`event loop blocked for over ${ceilings.stalled} ms`])
]

const report = (title: string, allCosts: Costs): boolean => {
  const { costs, left, megabytes: most, megabytesBefore } = allCosts
  const slowness = computeSlowness(allCosts)
  const limits = {
    median: Math.round(ceilings.median * slowness),
    longest: Math.round(ceilings.longest * slowness),
    long: Math.round(ceilings.long * slowness),
    stalled: Math.round(ceilings.stalled * slowness)
  }
  const printLine = (text: string, problems: ReadonlyArray<string>) => {
    process.stdout.write(`  ${text}${problems.length === 0 ? "" : `   MISSED: ${problems.join("; ")}`}\n`)
    return problems.length === 0
  }
  process.stdout.write(`\n${title}\n`)
  const verdicts = costs.map((cost) =>
    printLine(
      `${cost.name.padEnd(52)} ${cost.median.toFixed(1).padStart(9)} ms ${cost.longest.toFixed(1).padStart(9)} ms ${
        cost.stalled.toFixed(0).padStart(6)
      } ms`,
      findMissed(cost, limits)
    )
  )
  const growth = most - megabytesBefore
  verdicts.push(printLine(
    `memory: ${megabytesBefore.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`,
    growth <= megabytes ? [] : [`growth over ${megabytes} MB`]
  ))
  if (left.length > 0) verdicts.push(printLine("", [`no case for ${left.join(", ")}`]))
  return verdicts.every((each) => each)
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
let isWithinLimits = true
try {
  for (const [name, run] of Object.entries(databases)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const title = `${name}: ${size.bookings} bookings, ${size.offerings} offerings, ${size.guests} guests`
    isWithinLimits = report(`${title}\n  ${"".padEnd(52)}    median       longest   stalled`, await run()) &&
      isWithinLimits
  }
  if (positionals.length === 0 || positionals.includes("outfitters")) {
    const failures = await manyOutfitters({
      outfitters: Number(values.outfitters),
      noisyBookings: Number(values["noisy-bookings"]),
      tell: (line) => void process.stdout.write(`${line}\n`)
    })
    isWithinLimits &&= failures.length === 0
  }
} finally {
  await rm(folder, { recursive: true })
}
process.exitCode = isWithinLimits ? 0 : 1
