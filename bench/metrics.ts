/**
 * Measures reads and bookings over HTTP on a complete server whose metrics are scraped every second. The baseline is
 * the same server without metrics, at the same rate. Each round measures both servers, and each ratio is the median
 * over the rounds.
 */
import { join } from "node:path"
import { openPlaces, orderOf } from "./orders.ts"
import { type Line, median } from "./report.ts"
import { start, type Subject } from "./Subject.ts"

const clients = 16
const rounds = 10
const promised = 1.03
const metricsPort = 29_400

export const metrics = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const begin = async (name: string, ...flags: ReadonlyArray<string>) => {
    const outbox = join(folder, `${name}-outbox`)
    const server = await start("serving", `sqlite:${join(folder, `${name}.sqlite`)}`, `off ${outbox}`, ...flags)
    const places = await openPlaces(server, 1)
    const { id } = await server.call("POST", "/bookings", orderOf(places, 0))
    return { id, places, server }
  }
  const off = await begin("without")
  const on = await begin("with", String(metricsPort))
  const scraping = setInterval(() => void fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => {}), 1000)
  try {
    const loads = {
      "GET of one booking": ({ id, server }: typeof on, calls: number) =>
        server.load({ clients, calls, pace: 1000, next: () => ({ method: "GET", path: `/v1/bookings/${id}` }) }),
      "new booking": ({ places, server }: typeof on, calls: number) =>
        server.load({
          clients,
          calls,
          pace: 300,
          next: (call) => ({ method: "POST", path: "/v1/bookings", body: orderOf(places, call) })
        })
    }
    const lines: Array<Line> = []
    for (const [what, load] of Object.entries(loads)) {
      // Run both servers until their code is compiled, as it would be in a long-running server.
      for (const subject of [off, on]) await load(subject, 4000)
      const ratios = []
      for (let round = 0; round < rounds; round++) {
        // The second of two loads can be cheaper, so the order alternates.
        const first = await load(round % 2 === 0 ? off : on, 2000)
        const second = await load(round % 2 === 0 ? on : off, 2000)
        const ratio = second.cpuPerCall / first.cpuPerCall
        ratios.push(round % 2 === 0 ? ratio : 1 / ratio)
      }
      const ratio = median(ratios)
      lines.push({
        what: `CPU time per ${what}, with metrics on versus off`,
        figure: `${ratio.toFixed(3)} times`,
        promise: { text: `at most ${promised} times`, kept: ratio <= promised }
      })
    }
    return lines
  } finally {
    clearInterval(scraping)
    await Promise.all([off, on].map(({ server }: { readonly server: Subject }) => server.stop()))
  }
}
