/**
 * `npm run bench`: every performance figure that Trailbook promises, as a ratio against a baseline in the same run.
 * Absolute figures depend on the machine and its load. `npm run bench -- reads` runs one benchmark, `--markdown` prints
 * Markdown tables, and `agent --outfitters 100` uses a tenth of the outfitters. Exits with 1 if a promise was missed.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { agent } from "./agent.ts"
import { alone } from "./alone.ts"
import { assistants } from "./assistants.ts"
import { availability } from "./availability.ts"
import { bookings } from "./bookings.ts"
import { deliveries } from "./deliveries.ts"
import { embedding } from "./embedding.ts"
import { flows } from "./flows.ts"
import { free } from "./free.ts"
import { growth } from "./growth.ts"
import { mails } from "./mails.ts"
import { messages } from "./messages.ts"
import { pages } from "./pages.ts"
import { postgres } from "./postgres.ts"
import { reads } from "./reads.ts"
import { allKept, type Line, markdown, plainText } from "./report.ts"
import { starting } from "./starting.ts"
import { streams } from "./streams.ts"
import { today } from "./today.ts"
import { turns } from "./turns.ts"

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean" }, markdown: { type: "boolean" }, outfitters: { type: "string", default: "1000" } }
})
/** For the benchmark `agent` only. */
const outfitters = Number(values.outfitters)

const parts: Record<string, readonly [title: string, run: () => Promise<ReadonlyArray<Line>>]> = {
  bookings: ["Booking requests over HTTP on SQLite, 64 clients, one hot offering", () => bookings(folder)],
  postgres: ["Booking requests on Postgres, 64 clients, one hot offering and 1,000", postgres],
  alone: ["Booking requests over HTTP, one client: CPU a booking, server + database", () => alone(folder)],
  flows: ["Places held and then confirmed, 64 clients, one hot offering", () => flows(folder)],
  free: ["A free booking, with and without online payments", () => free(folder)],
  reads: ["Reading over HTTP", () => reads(folder)],
  assistants: ["A booking read by an assistant's tools/call and over REST, over HTTP", () => assistants(folder)],
  availability: ["Availability with 5,000 bookings of the offering", () => availability(folder)],
  deliveries: ["Deliveries from one worker to 20 receivers on loopback", () => deliveries(folder)],
  mails: ["Holding and confirming over HTTP, with emails written concurrently", () => mails(folder)],
  messages: ["Messages, mails that come in, and an inbox of 20,000 threads", () => messages(folder)],
  turns: ["A confirmation behind 5,000 mails of another outfitter", () => turns(folder)],
  agent: [`The ops agent of ${outfitters} outfitters with 100 departures each`, () => agent(folder, outfitters)],
  embedding: ["A program that embeds Trailbook, on SQLite", () => embedding(folder)],
  growth: ["Every operation with 10,000, 100,000 and 500,000 bookings behind it", () => growth(folder)],
  pages: ["CPU of a page of the booking page, on SQLite", () => pages(folder)],
  today: ["CPU of the dashboard for a busy outfitter, on SQLite", () => today(folder)],
  streams: ["500 tabs that listen, on SQLite", () => streams(folder)],
  starting: ["Starting", () => starting(folders)]
}

if (values.help === true) {
  const lines = Object.entries(parts).map(([name, [title]]) => `  ${name.padEnd(14)}${title}`)
  process.stdout.write(`npm run bench -- [part ...] [--markdown] [--outfitters <n>]\n\n${lines.join("\n")}\n`)
  process.exit(0)
}
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0) {
  process.stderr.write(`No part is called ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}.\n`)
  process.exit(2)
}
const folder = await mkdtemp(join(tmpdir(), "trailbook-bench-"))
const folders = ["a", "b", "c"].map((name) => join(folder, name))
await Promise.all(folders.map((each) => mkdir(each)))

const print = values.markdown === true ? markdown : plainText
let kept = true
for (const [name, [title, run]] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const lines = await run()
  process.stdout.write(print(title, lines))
  kept = allKept(lines) && kept
}
await rm(folder, { recursive: true })
process.exitCode = kept ? 0 : 1
