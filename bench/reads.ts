/**
 * Measures reads of one booking over HTTP. The baseline is a bare Hono route that returns the same JSON on the same
 * kind of Node server, at the same rate. The floor is a bare route that reads the same row. Also measures a list of 500
 * bookings.
 */
import { join } from "node:path"
import { floorLines, type Line, median } from "./report.ts"
import { start, type Subject } from "./Subject.ts"

const clients = 16
const rounds = 7
const calls = 4000
/** Calls per second, well below either server's maximum on two cores. */
const pace = 1000

const bookMany = async (subject: Subject, count: number): Promise<ReadonlyArray<string>> => {
  const offering = await subject.call("POST", "/offerings", {
    name: "Browns Canyon Half Day",
    kind: "class",
    capacity: 10_000,
    description: "Class III."
  })
  const starts_at = new Date(Date.now() + 5 * 86_400_000).toISOString()
  const { data: [session] } = await subject.call("POST", "/sessions", { offering_id: offering.id, starts_at })
  const ids = []
  for (let at = 0; at < count; at++) {
    const { id } = await subject.call("POST", "/bookings", {
      offering_id: offering.id,
      session_id: session.id,
      customer: { email: `guest${at}@example.com`, name: `Guest ${at}`, phone: "+1 719 555 0100" }
    })
    ids.push(id)
  }
  return ids
}

export const reads = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const database = `sqlite:${join(folder, "reads.sqlite")}`
  const trailbook = await start("trailbook", database)
  const bare = await start("bare")
  const floor = await start("byHand", database)
  try {
    const ids = await bookMany(trailbook, 500)
    bare.tell({ ask: "answer", with: JSON.stringify(await trailbook.call("GET", `/bookings/${ids[0]}`)) })
    const loadReads = (subject: Subject, calls: number) =>
      subject.load({
        clients,
        calls,
        pace,
        next: (call) => ({ method: "GET", path: `/v1/bookings/${ids[call % ids.length]}` })
      })
    // Run all servers at maximum speed until their code is compiled, as it would be in a long-running server.
    for (const subject of [trailbook, bare, floor]) {
      await subject.load({
        clients,
        calls: 5 * calls,
        next: (call) => ({ method: "GET", path: `/v1/bookings/${ids[call % ids.length]}` })
      })
    }
    const results = []
    for (let at = 0; at < rounds; at++) {
      results.push({
        trailbook: await loadReads(trailbook, calls),
        bare: await loadReads(bare, calls),
        floor: await loadReads(floor, calls)
      })
    }
    const ratio = median(results.map(({ bare, trailbook }) => trailbook.cpuPerCall / bare.cpuPerCall))
    const overFloor = median(results.map(({ floor, trailbook }) => trailbook.cpuPerCall / floor.cpuPerCall))
    const list = await trailbook.load({
      clients: 1,
      calls: 50,
      next: () => ({ method: "GET", path: "/v1/bookings?limit=500" })
    })
    return [
      {
        what: "CPU time per GET of one booking",
        figure: `${median(results.map(({ trailbook }) => trailbook.cpuPerCall)).toFixed(1)} µs CPU`
      },
      {
        what: "CPU time per GET of a bare Hono route with the same JSON",
        figure: `${median(results.map(({ bare }) => bare.cpuPerCall)).toFixed(1)} µs CPU`
      },
      {
        what: "CPU time per GET of one booking compared with a bare Hono route",
        figure: `${ratio.toFixed(2)} times`,
        promise: { text: "at most 2.5 times", kept: ratio <= 2.5 },
        target: "at most 2.2 times"
      },
      ...floorLines(
        "CPU time per GET of one booking",
        "CPU time per GET of a bare Hono route that reads the same row",
        `${median(results.map(({ floor }) => floor.cpuPerCall)).toFixed(1)} µs CPU`,
        overFloor
      ),
      { what: "latency to list 500 bookings with one client", figure: `${list.p50.toFixed(1)} ms p50` }
    ]
  } finally {
    await trailbook.stop()
    await bare.stop()
    await floor.stop()
  }
}
