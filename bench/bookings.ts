/**
 * Measures booking requests over HTTP on SQLite with 64 clients. Compares a server that batches waiting requests into
 * one commit with the same server making one commit per booking. Each round measures both, and the ratio is the median
 * over the rounds.
 */
import { join } from "node:path"
import { bookOverHttp, openPlaces } from "./orders.ts"
import { type Line, median } from "./report.ts"
import { start } from "./Subject.ts"

const clients = 64
const rounds = 5
const calls = { grouped: 3000, direct: 1000 }

type Round = Awaited<ReturnType<typeof bookOverHttp>>

export const bookings = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const grouped = await start("trailbook", `sqlite:${join(folder, "grouped.sqlite")}`, "grouped")
  const direct = await start("trailbook", `sqlite:${join(folder, "direct.sqlite")}`, "direct")
  try {
    const places = { grouped: await openPlaces(grouped, 1), direct: await openPlaces(direct, 1) }
    await bookOverHttp(grouped, places.grouped, { clients, calls: 500 })
    await bookOverHttp(direct, places.direct, { clients, calls: 200 })
    const results: Array<{ readonly grouped: Round; readonly direct: Round }> = []
    for (let at = 0; at < rounds; at++) {
      results.push({
        grouped: await bookOverHttp(grouped, places.grouped, { clients, calls: calls.grouped }),
        direct: await bookOverHttp(direct, places.direct, { clients, calls: calls.direct })
      })
    }
    const of = (pick: (result: { readonly grouped: Round; readonly direct: Round }) => number): number =>
      median(results.map(pick))
    const ratio = of(({ direct, grouped }) => grouped.perSecond / direct.perSecond)
    return [
      { what: "throughput of batched bookings", figure: `${of((r) => r.grouped.perSecond).toFixed(0)} /s` },
      {
        what: "batched bookings: latency (p50, p99), CPU time per booking",
        figure: `${of((r) => r.grouped.p50).toFixed(1)} ms, ${of((r) => r.grouped.p99).toFixed(1)} ms, ${
          of((r) => r.grouped.cpuPerCall).toFixed(0)
        } µs`
      },
      { what: "throughput with one commit per booking", figure: `${of((r) => r.direct.perSecond).toFixed(0)} /s` },
      {
        what: "one commit per booking: latency (p50, p99), CPU time per booking",
        figure: `${of((r) => r.direct.p50).toFixed(1)} ms, ${of((r) => r.direct.p99).toFixed(1)} ms, ${
          of((r) => r.direct.cpuPerCall).toFixed(0)
        } µs`
      },
      {
        what: "throughput of batched bookings compared with one commit per booking",
        figure: `${ratio.toFixed(2)} times`,
        promise: { text: "at least 3 times", kept: ratio >= 3 }
      }
    ]
  } finally {
    await grouped.stop()
    await direct.stop()
  }
}
