/**
 * `npm run bench` measures every performance figure that Trailbook promises, as a ratio against a baseline in the same
 * run. Absolute figures depend on the machine and its load. `npm run bench -- reads` runs one benchmark, `--markdown`
 * prints Markdown tables, and `agent --outfitters 100` uses a tenth of the outfitters. Exits with 1 if a promise was
 * missed.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { agent } from "./agent.ts"
import { measureAlone } from "./alone.ts"
import { assistants } from "./assistants.ts"
import { availability } from "./availability.ts"
import { bookings } from "./bookings.ts"
import { deliveries } from "./deliveries.ts"
import { embedding } from "./embedding.ts"
import { flows } from "./flows.ts"
import { measureFree } from "./free.ts"
import { growth } from "./growth.ts"
import { mails } from "./mails.ts"
import { messages } from "./messages.ts"
import { metrics } from "./metrics.ts"
import { pages } from "./pages.ts"
import { postgres } from "./postgres.ts"
import { pricing } from "./pricing.ts"
import { reads } from "./reads.ts"
import { allKept, formatCount, type Line, markdown, plainText } from "./report.ts"
import { measureStarts } from "./starting.ts"
import { streams } from "./streams.ts"
import { today } from "./today.ts"
import { turns } from "./turns.ts"

const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean" }, markdown: { type: "boolean" }, outfitters: { type: "string", default: "1000" } }
})
/** Applies only to the `agent` benchmark. */
const outfitters = Number(values.outfitters)

const parts: Record<string, readonly [title: string, run: () => Promise<ReadonlyArray<Line>>]> = {
  bookings: ["Bookings over HTTP on SQLite by 64 clients, with one offering", () => bookings(folder)],
  postgres: ["Bookings on Postgres by 64 clients, with one offering and with 1,000 offerings", postgres],
  alone: ["CPU time per booking over HTTP by one client", () => measureAlone(folder)],
  flows: ["Hold and confirm by 64 clients, with one offering", () => flows(folder)],
  free: ["Free bookings, with and without online payments", () => measureFree(folder)],
  pricing: ["Bookings with rates, extras, fees, and a discount code", () => pricing(folder)],
  reads: ["Reads of bookings over HTTP on SQLite", () => reads(folder)],
  assistants: ["Reads of one booking on SQLite through tools/call and REST", () => assistants(folder)],
  availability: ["Availability of an offering with 5,000 bookings", () => availability(folder)],
  deliveries: ["Webhook deliveries from one worker to 20 receivers on loopback", () => deliveries(folder)],
  mails: ["Hold and confirm over HTTP while a worker writes emails", () => mails(folder)],
  messages: ["Messages, inbound email, and an inbox of 20,000 threads", () => messages(folder)],
  turns: ["Wait time of a confirmation email behind another outfitter's 5,000 emails", () => turns(folder)],
  agent: [
    `Ops agent for ${formatCount(outfitters)} outfitters with 100 departures each`,
    () => agent(folder, outfitters)
  ],
  embedding: ["Trailbook embedded in a program on SQLite", () => embedding(folder)],
  metrics: ["CPU time over HTTP on SQLite, with and without metrics", () => metrics(folder)],
  growth: ["Time per operation with 10,000, 100,000, and 500,000 past bookings", () => growth(folder)],
  pages: ["CPU time of the booking pages on SQLite", () => pages(folder)],
  today: ["CPU time of the dashboard for a busy outfitter on SQLite", () => today(folder)],
  streams: ["500 open dashboard tabs on SQLite", () => streams(folder)],
  starting: ["Startup time and memory", () => measureStarts(folders)]
}

if (values.help === true) {
  const lines = Object.entries(parts).map(([name, [title]]) => `  ${name.padEnd(14)}${title}`)
  process.stdout.write(`npm run bench -- [part ...] [--markdown] [--outfitters <n>]\n\n${lines.join("\n")}\n`)
  process.exit(0)
}
const unknown = names.filter((name) => !(name in parts))
if (unknown.length > 0) {
  process.stderr.write(`Unknown benchmark: ${unknown.join(", ")}. Available: ${Object.keys(parts).join(", ")}.\n`)
  process.exit(2)
}
const folder = await mkdtemp(join(tmpdir(), "trailbook-bench-"))
const folders = ["a", "b", "c"].map((name) => join(folder, name))
await Promise.all(folders.map((each) => mkdir(each)))

const print = values.markdown === true ? markdown : plainText
let withinLimits = true
for (const [name, [title, run]] of Object.entries(parts)) {
  if (names.length > 0 && !names.includes(name)) continue
  const lines = await run()
  process.stdout.write(print(title, lines))
  withinLimits = allKept(lines) && withinLimits
}
await rm(folder, { recursive: true })
process.exitCode = withinLimits ? 0 : 1
