/**
 * Booking requests over HTTP on SQLite with 64 clients: through the desk, which
 * commits what is waiting together, against the same server where each booking
 * commits by itself. Rounds alternate; the ratio is the median of the rounds'.
 */
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { type Line, median } from "./report.ts"
import { start, type Subject } from "./Subject.ts"

const clients = 64
const rounds = 5
const calls = { grouped: 3000, direct: 1000 }

/** An appointment that is never full, so every request books some start of the year ahead. */
const openOffering = async (subject: Subject): Promise<{ id: string; starts: ReadonlyArray<string> }> => {
  const { id } = await subject.call("POST", "/offerings", {
    name: "Hot spring soak",
    kind: "appointment",
    capacity: 10_000,
    slot_interval_minutes: 15
  })
  const yearAhead = new Date(Date.now() + 364 * 86_400_000).toISOString().slice(0, 10)
  const { data } = await subject.call("GET", `/offerings/${id}/availability?to=${yearAhead}`)
  return { id, starts: data.slice(1).map(({ starts_at }: { starts_at: string }) => starts_at) }
}

const round = async (subject: Subject, offering: { id: string; starts: ReadonlyArray<string> }, calls: number) => {
  const result = await subject.load({
    clients,
    calls,
    next: (call) => ({
      method: "POST",
      path: "/v1/bookings",
      body: {
        offering_id: offering.id,
        starts_at: offering.starts[Math.floor(Math.random() * offering.starts.length)],
        customer: { email: `guest${call % 500}@example.com`, name: "Guest" },
        idempotency_key: randomUUID()
      }
    })
  })
  if (result.statuses[201] !== calls) throw new Error(`Not every request booked: ${JSON.stringify(result.statuses)}`)
  return result
}

type Round = Awaited<ReturnType<typeof round>>

export const bookings = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const grouped = await start("trailbook", join(folder, "grouped.sqlite"), "grouped")
  const direct = await start("trailbook", join(folder, "direct.sqlite"), "direct")
  try {
    const places = { grouped: await openOffering(grouped), direct: await openOffering(direct) }
    await round(grouped, places.grouped, 500)
    await round(direct, places.direct, 200)
    const results: Array<{ readonly grouped: Round; readonly direct: Round }> = []
    for (let at = 0; at < rounds; at++) {
      results.push({
        grouped: await round(grouped, places.grouped, calls.grouped),
        direct: await round(direct, places.direct, calls.direct)
      })
    }
    const of = (pick: (result: { readonly grouped: Round; readonly direct: Round }) => number): number =>
      median(results.map(pick))
    const ratio = of(({ direct, grouped }) => grouped.perSecond / direct.perSecond)
    return [
      { what: "through the desk", figure: `${of((r) => r.grouped.perSecond).toFixed(0)} /s` },
      {
        what: "  p50, p99, CPU a booking",
        figure: `${of((r) => r.grouped.p50).toFixed(1)} ms, ${of((r) => r.grouped.p99).toFixed(1)} ms, ${
          of((r) => r.grouped.cpuPerCall).toFixed(0)
        } µs`
      },
      { what: "one commit a booking", figure: `${of((r) => r.direct.perSecond).toFixed(0)} /s` },
      {
        what: "  p50, p99, CPU a booking",
        figure: `${of((r) => r.direct.p50).toFixed(1)} ms, ${of((r) => r.direct.p99).toFixed(1)} ms, ${
          of((r) => r.direct.cpuPerCall).toFixed(0)
        } µs`
      },
      {
        what: "bookings a second, desk : one commit each",
        figure: `${ratio.toFixed(2)} times`,
        promise: { text: "at least 3 times", kept: ratio >= 3 }
      }
    ]
  } finally {
    await grouped.stop()
    await direct.stop()
  }
}
