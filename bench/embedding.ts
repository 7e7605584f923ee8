/**
 * Measures the cost of embedding Trailbook in a program: the time to import it, the time to make the first booking, and
 * the memory used. The baseline is the same program without Trailbook. Also compares bookings through the promise API
 * with bookings over HTTP from the same process, in alternating rounds.
 */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { bookedAll, bookOverHttp, openPlaces } from "./orders.ts"
import { type Line, median } from "./report.ts"
import { type MeasuredLoad, start } from "./Subject.ts"

const runs = 9
const rounds = 5
const root = join(import.meta.dirname, "..")

const measure =
  "process.stdout.write(JSON.stringify({ ms: performance.now(), megabytes: process.memoryUsage.rss() / 2 ** 20 }))"

/** Returns the measured programs. `performance.now()` counts from the start of the process. */
const makePrograms = (folder: string): Record<string, string> => ({
  nothing: measure,
  imported: `await import("trailbook"); ${measure}`,
  booked: `
    const { createTrailbook } = await import("trailbook")
    const trailbook = await createTrailbook({
      database: "sqlite:${join(folder, "embedding.sqlite")}",
      org: { name: "Bench River Co.", timezone: "America/Denver" }
    })
    const { id: offering_id } = await trailbook.offerings.create({ name: "Kayak", kind: "rental" })
    const { data: times } = await trailbook.availability.get({ id: offering_id })
    await trailbook.bookings.create({ offering_id, starts_at: times.at(-1).starts_at, customer: { email: "ada@example.com" } })
    ${measure}
    await trailbook.close()`
})

interface Cost {
  readonly ms: number
  readonly megabytes: number
}

const run = async (program: string): Promise<Cost> => {
  const args = ["--input-type=module", "--eval", program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return JSON.parse(stdout)
}

const measureStarts = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const { booked = "", imported = "", nothing = "" } = makePrograms(folder)
  const costs: Array<Record<"nothing" | "imported" | "booked", Cost>> = []
  for (let at = 0; at < runs; at++) {
    costs.push({ nothing: await run(nothing), imported: await run(imported), booked: await run(booked) })
  }
  const formatAddedCost = (of: "imported" | "booked", what: keyof Cost): string =>
    median(costs.map((each) => each[of][what] - each.nothing[what])).toFixed(0)
  return [
    {
      what: "time and memory added by `import \"trailbook\"`",
      figure: `${formatAddedCost("imported", "ms")} ms, ${formatAddedCost("imported", "megabytes")} MB`
    },
    {
      what: "time and memory added by the import, opening the database, and the first booking",
      figure: `${formatAddedCost("booked", "ms")} ms, ${formatAddedCost("booked", "megabytes")} MB`
    }
  ]
}

const measureSales = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const subject = await start("embedded", `sqlite:${join(folder, "sales.sqlite")}`)
  try {
    const places = await openPlaces(subject, 1)
    const book = {
      promises: async (clients: number, calls: number) =>
        bookedAll(await subject.book({ clients, calls, through: "promises", places })),
      http: (clients: number, calls: number) => bookOverHttp(subject, places, { clients, calls })
    }
    for (const way of [book.promises, book.http]) await way(64, 500)
    const lines: Array<Line> = []
    for (const [clients, calls] of [[1, 300], [64, 2000]] as const) {
      const results: Array<Record<"promises" | "http", MeasuredLoad>> = []
      for (let at = 0; at < rounds; at++) {
        results.push({ promises: await book.promises(clients, calls), http: await book.http(clients, calls) })
      }
      const callerText = clients === 1 ? "one caller" : `${clients} callers`
      for (const [way, name] of [["promises", "promise API"], ["http", "HTTP"]] as const) {
        const medianOf = (figure: "perSecond" | "p50" | "cpuPerCall") =>
          median(results.map((each) => each[way][figure]))
        lines.push({
          what: `${callerText}, ${name}: bookings per second, p50 latency, CPU time per booking`,
          figure: `${medianOf("perSecond").toFixed(0)} /s, ${medianOf("p50").toFixed(1)} ms, ${
            medianOf("cpuPerCall").toFixed(0)
          } µs`
        })
      }
      const ratio = median(results.map(({ http, promises }) => promises.cpuPerCall / http.cpuPerCall))
      lines.push({
        what: `CPU time per booking for ${callerText}, promise API compared with HTTP`,
        figure: `${ratio.toFixed(2)} times`
      })
    }
    return lines
  } finally {
    await subject.stop()
  }
}

export const embedding = async (folder: string): Promise<ReadonlyArray<Line>> => [
  ...await measureStarts(folder),
  ...await measureSales(folder)
]
