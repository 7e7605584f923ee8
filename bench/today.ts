/**
 * Measures the CPU time of two pages, including storage: the daily overview of an outfitter with 300 departures and
 * 5,000 bookings on the days shown, and the outfitter's inbox with 20,000 threads. The floor of each page is the CPU
 * time of its SQL statements alone.
 */
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { createTrailbook } from "trailbook"
import { storeThreads, threads } from "./messages/inbox.ts"
import { world } from "./messages/outfitter.ts"
import { recordStatements } from "./recordStatements.ts"
import { floorLines, formatCount, type Line, median } from "./report.ts"

const rounds = 5
/** The number of requests per measurement. The total stays below each person's per-minute rate limit. */
const requests = 15
/** The maximum CPU time per request, in milliseconds. */
const maxCpuMs = 10

/** The goal for the CPU time per request, in milliseconds. */
const target = 5

const departures = 300
const bookings = 5000

/** Returns the CPU time per run, in milliseconds. */
const measureCpu = async (run: () => void | Promise<void>): Promise<number> => {
  const before = process.cpuUsage()
  for (let at = 0; at < requests; at++) await run()
  const { system, user } = process.cpuUsage(before)
  return (user + system) / 1000 / requests
}

/**
 * Returns a time zone in which the current time is between 6:00 and 7:00, because the pages show the rest of the day.
 * POSIX zone names have inverted signs.
 */
const findMorningZone = (): string => {
  const east = (30 - new Date().getUTCHours()) % 24
  return east > 12 ? `Etc/GMT+${24 - east}` : `Etc/GMT-${east}`
}

export const today = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const database = `sqlite:${join(folder, "today.sqlite")}`
  // Each staff member has a per-minute rate limit, so the requests are spread over several staff members.
  let times = 0
  const makeEmail = () => `guide${Math.floor(times++ / 200)}@example.com`
  const trailbook = await createTrailbook({
    database,
    org: { name: "Bench River Co.", timezone: findMorningZone() },
    http: {
      surfaces: ["dashboard"],
      authorize: () => ({ scopes: ["read", "write"], staff: { email: makeEmail(), role: "staff" } })
    }
  })
  try {
    const offerings = []
    for (let at = 0; at < 6; at++) {
      offerings.push(
        await trailbook.offerings.create({ name: `Trip ${at}`, kind: "class", duration_minutes: 180, capacity: 40 })
      )
    }
    const hour = 3_600_000
    const sessions: Array<{ readonly id: string; readonly offering_id: string }> = []
    for (let at = 0; at < departures; at++) {
      const offering_id = offerings[at % offerings.length]?.id ?? ""
      // All sessions start within the next three days.
      const starts_at = new Date(Date.now() + hour + Math.floor((at * 68 * hour) / departures)).toISOString()
      const { data: [session] } = await trailbook.sessions.create({ offering_id, starts_at })
      if (session !== undefined) sessions.push(session)
    }
    for (let first = 0; first < bookings; first += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, at) => {
        const session = sessions[(first + at) % sessions.length]
        return trailbook.bookings.create({
          offering_id: session?.offering_id ?? "",
          session_id: session?.id ?? "",
          quantity: 1 + (at % 2),
          customer: { email: `guest${first + at}@example.com`, name: `Guest ${first + at}` }
        })
      }))
    }
    const workload = `${departures} departures and ${formatCount(bookings)} bookings`
    const pages = [
      ["Today", "/dashboard", workload],
      ["calendar", "/dashboard/calendar", workload],
      ["bookings", "/dashboard/bookings", workload],
      ["inbox", "/dashboard/inbox", `${formatCount(threads)} threads`]
    ]
    const lines: Array<Line> = []
    for (const [what = "", path = "", of = ""] of pages) {
      if (path === "/dashboard/inbox") {
        const { id: orgId } = await trailbook.org.get()
        await Effect.runPromise(Effect.provide(storeThreads({ orgId }), world(database)))
      }
      const ask = async () => {
        const response = await trailbook.handler(
          new Request(`http://127.0.0.1${path}`, { headers: { accept: "text/html" } })
        )
        await response.arrayBuffer()
        if (response.status !== 200) throw new Error(`${path} returned ${response.status}`)
      }
      await ask()
      const replay = await recordStatements(ask)
      const costs: Array<number> = []
      const floors: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        costs.push(await measureCpu(ask))
        floors.push(await measureCpu(replay))
      }
      const cost = median(costs)
      const floor = median(floors)
      const promise = { text: `at most ${maxCpuMs} ms of CPU time`, kept: cost <= maxCpuMs }
      const page = `CPU time of the ${what} page`
      const line = {
        what: `${page} with ${of}`,
        figure: `${cost.toFixed(2)} ms`,
        target: `at most ${target} ms of CPU time`
      }
      lines.push(
        path === "/dashboard" || path === "/dashboard/inbox" ? { ...line, promise } : line,
        ...floorLines(
          page,
          `CPU time of the database statements alone for the ${what} page`,
          `${floor.toFixed(2)} ms`,
          cost / floor
        )
      )
    }
    return lines
  } finally {
    await trailbook.close()
  }
}
