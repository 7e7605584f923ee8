/**
 * Measures an assistant reading one booking with `tools/call` in both protocol versions. The baseline is the same
 * operation over REST. All variants run on one server at the same rate, in alternating rounds. A second measurement
 * finds the maximum rate of each variant. The floor is a bare route that reads the same row and wraps it in a tool
 * result.
 */
import { join } from "node:path"
import type { Call } from "./load.ts"
import { guestOf, openPlaces } from "./orders.ts"
import { floorLines, type Line, median } from "./report.ts"
import { type MeasuredLoad, start, type Subject } from "./Subject.ts"

const clients = 16
const rounds = 7
const calls = 2500
/** Calls per second, below the maximum rate of the slowest variant on two cores. */
const pace = 1000

const readings = ["rest", "old", "modern"] as const
type Reading = typeof readings[number]

const names: Record<Reading, string> = {
  rest: "GET of one booking",
  old: "tools/call (revision 2025-11-25)",
  modern: "tools/call (revision 2026-07-28)"
}

const callsByReading: Record<Reading, (id: string) => Call> = {
  rest: (id) => ({ method: "GET", path: `/v1/bookings/${id}` }),
  old: (id) => makeToolCall("2025-11-25", id, {}, {}),
  modern: (id) =>
    makeToolCall("2026-07-28", id, { "mcp-method": "tools/call", "mcp-name": "bookings_get" }, {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {}
      }
    })
}

const makeToolCall = (revision: string, id: string, headers: Call["headers"], params: object): Call => ({
  method: "POST",
  path: "/mcp",
  headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": revision, ...headers },
  body: {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "bookings_get", arguments: { id }, ...params }
  }
})

const bookMany = async (subject: Subject, count: number): Promise<ReadonlyArray<string>> => {
  const { offerings: [offering_id], starts: [starts_at] } = await openPlaces(subject, 1)
  const ids = []
  for (let at = 0; at < count; at++) {
    ids.push((await subject.call("POST", "/bookings", { offering_id, starts_at, customer: guestOf(at) })).id)
  }
  return ids
}

type Round = Record<Reading | "floor", MeasuredLoad>

export const assistants = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const database = `sqlite:${join(folder, "assistants.sqlite")}`
  const subject = await start("trailbook", database)
  const floor = await start("byHand", database)
  try {
    const ids = await bookMany(subject, 200)
    const load = async (kind: Reading, at: { readonly pace?: number }, server = subject): Promise<MeasuredLoad> => {
      const makeCall = (call: number) => callsByReading[kind](ids[call % ids.length] ?? "")
      const result = await server.load({ clients, calls, next: makeCall, ...at })
      if (result.statuses[200] !== calls) throw new Error(`Some calls failed: ${JSON.stringify(result.statuses)}`)
      return result
    }
    const round = async (at: { readonly pace?: number }): Promise<Round> => ({
      rest: await load("rest", at),
      old: await load("old", at),
      modern: await load("modern", at),
      floor: await load("old", at, floor)
    })
    const measureRounds = async (count: number, at: { readonly pace?: number }): Promise<ReadonlyArray<Round>> => {
      const roundResults: Array<Round> = []
      while (roundResults.length < count) roundResults.push(await round(at))
      return roundResults
    }
    await measureRounds(1, {})
    const paced = await measureRounds(rounds, { pace })
    return [...formatFigures(paced), ...formatFloor(paced), ...formatRates(await measureRounds(3, {}))]
  } finally {
    await subject.stop()
    await floor.stop()
  }
}

const formatFigures = (results: ReadonlyArray<Round>): ReadonlyArray<Line> =>
  readings.flatMap((kind) => {
    const cpu = median(results.map((round) => round[kind].cpuPerCall))
    const ratio = median(results.map((round) => round[kind].cpuPerCall / round.rest.cpuPerCall))
    const line = { what: `CPU time per ${names[kind]}`, figure: `${cpu.toFixed(1)} µs CPU` }
    return kind === "rest" ? [line] : [line, {
      what: `CPU time per ${names[kind]} compared with a GET`,
      figure: `${ratio.toFixed(2)} times`,
      promise: { text: "at most 2.5 times", kept: ratio <= 2.5 }
    }]
  })

const formatFloor = (results: ReadonlyArray<Round>): ReadonlyArray<Line> => {
  const cpu = median(results.map(({ floor }) => floor.cpuPerCall))
  const ratio = median(results.map(({ floor, old }) => old.cpuPerCall / floor.cpuPerCall))
  return floorLines(
    `CPU time per ${names.old}`,
    "CPU time per request to a bare Hono route that reads the same row",
    `${cpu.toFixed(1)} µs CPU`,
    ratio
  )
}

const formatRates = (results: ReadonlyArray<Round>): ReadonlyArray<Line> =>
  readings.map((kind) => ({
    what: `throughput with ${clients} concurrent clients, ${names[kind]}`,
    figure: `${median(results.map((round) => round[kind].perSecond)).toFixed(0)} /s`
  }))
