/** Tests bodies with many unknown field names, and with field names as long as an entire body. */
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import { assert, describe, expect, it, onTestFinished, vi } from "vitest"
import { type Body, checkFieldNames, read } from "../src/request/body.ts"
import { errorOf, type Options, type Service, start } from "./Service.ts"

const startService = async (options: Options = {}): Promise<Service> => {
  const service = await start(options)
  onTestFinished(service.close)
  return service
}

const unlimited: Options = { rateLimit: { perSecond: 0 } }

/** Builds an object of at least the given number of bytes, with a distinct short name for each value. */
const unknownNames = (bytes: number): string => {
  const entries = Array.from({ length: bytes / 13 }, (_, at) => `"k${at.toString(36).padStart(6, "0")}":1`)
  return `{${entries.join(",")}}`
}

const requestOf = (body: string): Request =>
  new Request("http://localhost/", { method: "POST", body, headers: { "content-type": "application/json" } })

const fields = ["name", "notes"]

/** Reads a body and counts the characters that are parsed. */
const parsedFor = async (body: string): Promise<{ readonly parsed: number; readonly exit: Body | string }> => {
  const parse = vi.spyOn(JSON, "parse")
  try {
    const exit = await Effect.runPromise(
      Effect.catchAll(
        read(requestOf(body), { check: (text) => checkFieldNames(text, fields) }),
        ({ message }) => Effect.succeed(message)
      )
    )
    return { parsed: parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0), exit }
  } finally {
    parse.mockRestore()
  }
}

describe("an unknown field in a body", () => {
  it("is rejected before the body is fully parsed", async () => {
    const { exit, parsed } = await parsedFor(unknownNames(60_000))
    assert.strictEqual(exit, "k000000: is not a field of this request. Known fields: name, notes.")
    assert.isAtMost(parsed, 20)
  })

  it.each([
    ["after a value that contains braces, quotes, and names", `{"name":"{\\"a\\":1,\\\\","notes":[{"x":1}],"other":1}`],
    ["written with an escape", `{"name":1,"\\u006fther":1}`]
  ])("is detected if it is %s", async (_, text) => {
    const { exit } = await parsedFor(text.replace("}", "}").padEnd(5000))
    assert.strictEqual(exit, "other: is not a field of this request. Known fields: name, notes.")
  })

  it.each([
    `{"name":"{\\"other\\":1,","notes":{"other":[{"a":1},"b"]}}`,
    `{"n\\u0061me":"a, \\"other\\": 1"}`
  ])("is distinguished from its name in a value: %s", async (text) => {
    const { exit } = await parsedFor(text.padEnd(5000))
    assert.deepStrictEqual(exit, JSON.parse(text))
  })

  it("costs one rate limit token per 4 KiB", async () => {
    const clock = await Effect.runPromise(SettableClock.make(Instant.make(Date.UTC(2027, 4, 1))))
    const service = await startService({ clock, rateLimit: { perSecond: 10, burst: 20 } })
    const { headers, status } = await service.ask("POST", "/v1/bookings", { body: `{${" ".repeat(40_958)}}` })
    assert.deepStrictEqual([status, headers.get("ratelimit")], [400, "\"key\";r=9;t=2"])
    const large = await service.ask("POST", "/v1/bookings", { body: unknownNames(65_000) })
    assert.strictEqual(large.status, 400)
    const next = await service.ask("GET", "/v1/org")
    assert.strictEqual(next.status, 429)
  })
})

describe("a very long field name", () => {
  const name = "a".repeat(15_000)

  it.each([
    ["a field", (service: Service) => service.ask("POST", "/v1/bookings", { body: { [name]: 1 } })],
    [
      "a nested field",
      (service: Service) =>
        service.ask("POST", "/v1/bookings", { body: { offering_id: crypto.randomUUID(), customer: { [name]: 1 } } })
    ],
    ["a query parameter", (service: Service) => service.ask("GET", `/v1/bookings?${name.slice(0, 9000)}=1`)],
    [
      "a query parameter of a write",
      (service: Service) => service.ask("POST", `/v1/bookings?${name.slice(0, 9000)}=1`, { body: {} })
    ],
    [
      "a field of an operation without fields",
      (service: Service) => service.ask("GET", `/v1/org?${name.slice(0, 9000)}=1`)
    ]
  ])("is truncated in the error and the log: %s", async (_, ask) => {
    const service = await startService(unlimited)
    const answer = await ask(service)
    assert.strictEqual(answer.status, 400)
    expect(errorOf(answer).message).toMatch(/a{50,100}…: is not a /)
    assert.isBelow(answer.text.length, 1000)
    assert.isBelow(JSON.stringify(service.log).length, 2000)
  })
})
