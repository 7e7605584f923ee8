import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { formatReadableLine, type LogFormat, makeReadableLog } from "../src/readableLog.ts"

const time = "2027-05-01T15:00:00.000Z"
const request = {
  time,
  level: "info",
  msg: "request",
  request_id: "r1",
  org_id: "o1",
  op: "bookings.get",
  method: "GET",
  route: "/v1/bookings/:id",
  status: 200,
  ms: 3.21
}
/** Removes the time, which depends on the local time zone. */
const formatEntry = (entry: object): string => formatReadableLine(JSON.stringify(entry)).replace(/^\d\d:\d\d:\d\d /, "")

describe("the terminal log", () => {
  it("prints one short line per request", () => {
    expect(formatEntry(request)).toBe("GET /v1/bookings/:id 200 3 ms bookings.get")
    expect(formatReadableLine(JSON.stringify(request))).toMatch(/^\d\d:\d\d:\d\d GET/)
  })

  it("prints an error, with the request ID for server errors", () => {
    expect(
      formatEntry({
        ...request,
        level: "warn",
        status: 404,
        code: "not_found",
        op: undefined,
        route: undefined,
        path: "/v1/x"
      })
    )
      .toBe("warn GET /v1/x 404 3 ms not_found")
    expect(formatEntry({ ...request, level: "error", status: 500, code: "internal" }))
      .toBe("error GET /v1/bookings/:id 500 3 ms bookings.get internal r1")
  })

  it("prints other messages, with the cause on the next lines", () => {
    expect(
      formatEntry({
        time,
        level: "warn",
        msg: "A task failed.",
        task: "e",
        in_minutes: 4,
        cause: "Error: no disk\n  at x"
      })
    )
      .toBe("warn A task failed. task=e in_minutes=4\n  Error: no disk\n    at x")
  })

  it("escapes control characters, so that input cannot forge a line", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary" }), FastCheck.string({ unit: "binary" }), (msg, value) => {
        const lines = formatReadableLine(JSON.stringify({ time, level: "info", msg, value })).split("\n")
        expect(lines).toHaveLength(1)
        expect(lines[0]).not.toMatch(/\p{Cc}/u)
      })
    )
  })

  it("leaves lines that are not log entries unchanged", () => {
    for (const line of ["", "Trailbook", "{}", "null", "{\"msg\":1,\"time\":\"x\"}"]) {
      expect(formatReadableLine(line)).toBe(line)
    }
  })

  it.each<[LogFormat, boolean | undefined, boolean]>([
    ["auto", true, true],
    ["auto", undefined, false],
    ["json", true, false],
    ["text", undefined, true]
  ])("is readable with format %s and terminal flag %s: %s", (format, isTTY, isReadable) => {
    const lines: Array<string> = []
    const log = makeReadableLog({ write: (line) => lines.push(line), flush: () => {} }, format, { isTTY })
    log.write(JSON.stringify(request))
    expect(lines.map((line) => !line.startsWith("{"))).toEqual([isReadable])
  })
})
