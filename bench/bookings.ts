/**
 * Measures booking requests over HTTP on SQLite with 64 clients. Compares a server that batches waiting requests into
 * one commit with the same server making one commit per booking, and bookings of a single start with bookings of starts
 * in a year. Each round measures all of them, and the ratio is the median over the rounds.
 */
import { join } from "node:path"
import { bookOverHttp, openPlaces } from "./orders.ts"
import { type Line, median } from "./report.ts"
import { start } from "./Subject.ts"

const clients = 64
const rounds = 5
const calls = { grouped: 3000, direct: 1000, oneStart: 1000 }

type Round = Readonly<Record<keyof typeof calls, Awaited<ReturnType<typeof bookOverHttp>>>>

export const bookings = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const grouped = await start("trailbook", `sqlite:${join(folder, "grouped.sqlite")}`, "grouped")
  const direct = await start("trailbook", `sqlite:${join(folder, "direct.sqlite")}`, "direct")
  try {
    const places = { grouped: await openPlaces(grouped, 1), direct: await openPlaces(direct, 1) }
    await bookOverHttp(grouped, places.grouped, { clients, calls: 500 })
    await bookOverHttp(direct, places.direct, { clients, calls: 200 })
    const results: Array<Round> = []
    for (const start of places.grouped.starts.slice(0, rounds)) {
      results.push({
        grouped: await bookOverHttp(grouped, places.grouped, { clients, calls: calls.grouped }),
        direct: await bookOverHttp(direct, places.direct, { clients, calls: calls.direct }),
        oneStart: await bookOverHttp(grouped, { ...places.grouped, starts: [start] }, {
          clients,
          calls: calls.oneStart
        })
      })
    }
    const of = (pick: (round: Round) => number): number => median(results.map(pick))
    const ratio = of(({ direct, grouped }) => grouped.perSecond / direct.perSecond)
    const oneStartRatio = of(({ grouped, oneStart }) => oneStart.cpuPerCall / grouped.cpuPerCall)
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
      },
      {
        what:
          `CPU time per batched booking of one start (the first ${calls.oneStart}) compared with all starts in a year`,
        figure: `${oneStartRatio.toFixed(2)} times`,
        promise: { text: "at most 2 times", kept: oneStartRatio <= 2 }
      }
    ]
  } finally {
    await grouped.stop()
    await direct.stop()
  }
}
