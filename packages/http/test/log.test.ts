import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { noBody } from "../src/request/noBody.ts"
import * as Reply from "../src/response/Reply.ts"
import type { Route } from "../src/Route.ts"
import { type Service, start } from "./Service.ts"

const moment = Instant.make(Date.UTC(2027, 4, 1, 15))

describe("the request log", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ clock: await Effect.runPromise(SettableClock.make(moment)) })
  })
  afterAll(() => service.close())

  const last = () => {
    const { ms, ...entry } = service.log.at(-1) ?? assert.fail("The log is empty.")
    assert.isNumber(ms)
    return JSON.parse(JSON.stringify(entry)) as object
  }

  it("contains one line per request, with all annotations", async () => {
    const before = service.log.length
    await service.ask("GET", "/v1/offerings?limit=3", { headers: { "x-request-id": "r1" } })
    assert.strictEqual(service.log.length, before + 1)
    assert.deepStrictEqual(last(), {
      time: "2027-05-01T15:00:00.000Z",
      level: "info",
      msg: "request",
      request_id: "r1",
      org_id: service.orgId,
      op: "offerings.list",
      method: "GET",
      route: "/v1/offerings",
      status: 200
    })
  })

  it("contains the code of an error response", async () => {
    await service.ask("GET", "/v1/bookings/1", { headers: { "x-request-id": "r2" } })
    assert.deepStrictEqual(last(), {
      time: "2027-05-01T15:00:00.000Z",
      level: "warn",
      msg: "request",
      request_id: "r2",
      org_id: service.orgId,
      op: "bookings.get",
      method: "GET",
      route: "/v1/bookings/:id",
      status: 400,
      code: "invalid_request"
    })
  })

  it("omits the outfitter and the route if they are unknown", async () => {
    await service.ask("GET", "/v1/org", { key: null, headers: { "x-request-id": "r3" } })
    assert.notProperty(last(), "org_id")
    await service.ask("GET", "/wp-login.php?user=ada@example.com", { headers: { "x-request-id": "r4" } })
    assert.deepStrictEqual(last(), {
      time: "2027-05-01T15:00:00.000Z",
      level: "warn",
      msg: "request",
      request_id: "r4",
      method: "GET",
      path: "/wp-login.php",
      status: 404,
      code: "not_found"
    })
  })

  it("contains successful health checks only at the debug level", async () => {
    await service.ask("GET", "/livez", { headers: { "x-request-id": "r5" } })
    assert.deepInclude(last(), { level: "debug", route: "/livez", status: 200 })
  })

  it("contains refusals for full departures at the info level", async () => {
    const create = async (path: string, body: object) => {
      const { json } = await service.ask("POST", path, { body })
      return JSON.parse(JSON.stringify(json))
    }
    const offering = await create("/v1/offerings", { name: "Kayak", kind: "class", capacity: 1 })
    const starts_at = "2027-05-09T15:00:00Z"
    const session = await create("/v1/sessions", { offering_id: offering.id, starts_at })
    const customer = { name: "Ada", email: "ada@example.com" }
    await create("/v1/bookings", { offering_id: offering.id, session_id: session.data[0].id, quantity: 2, customer })
    assert.deepInclude(last(), { level: "info", status: 409, code: "slot_full" })
  })

  it("contains the caller's trace ID", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    await service.ask("GET", "/v1/org", { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } })
    assert.deepInclude(last(), { trace_id: trace })
    for (const invalid of ["", trace, `00-${"0".repeat(32)}-00f067aa0ba902b7-01`, `00-${trace}`]) {
      await service.ask("GET", "/v1/org", { headers: { traceparent: invalid } })
      assert.notProperty(last(), "trace_id")
    }
  })

  it("shares its request, trace, and outfitter IDs with other log entries", async () => {
    const lines: Array<string> = []
    const print = vi.spyOn(console, "log").mockImplementation((line: unknown) => void lines.push(String(line)))
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    const route: Route<{ readonly scope: "read" }, undefined> = {
      method: "GET",
      path: "/logged",
      name: "logged",
      caller: { scope: "read" },
      body: noBody,
      answer: () => Effect.as(Effect.logWarning("Something happened"), Reply.json(200, {}))
    }
    const logging = await start({ routes: [route] })
    try {
      await logging.ask("GET", "/logged", {
        headers: { "x-request-id": "r9", traceparent: `00-${trace}-00f067aa0ba902b7-01` }
      })
    } finally {
      print.mockRestore()
      await logging.close()
    }
    const entry = lines.find((line) => line.includes("Something happened")) ?? assert.fail(lines.join())
    for (const id of ["request_id=r9", `trace_id=${trace}`, `org_id=${logging.orgId}`]) assert.include(entry, id)
  })

  it("contains no personal data", async () => {
    const email = "ada.lovelace@example.com"
    await service.ask("POST", "/v1/customers", { body: { email, name: "Ada Lovelace", phone: "+1 555 0100" } })
    await service.ask("GET", `/v1/customers?q=${email}`)
    await service.ask("GET", `/v1/customers/${email}`)
    await service.ask("POST", "/v1/customers", { body: { email: `${email},`, name: 5 } })
    await service.ask("GET", `/${email}?${service.key}`)
    const log = JSON.stringify(service.log)
    for (const word of ["ada", "Ada", "Lovelace", "555", service.key.slice(8, 30)]) assert.notInclude(log, word)
  })
})
