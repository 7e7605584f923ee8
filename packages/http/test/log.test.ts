import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Service, start } from "./Service.ts"

const moment = Instant.make(Date.UTC(2027, 4, 1, 15))

describe("the request log", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ clock: await Effect.runPromise(SettableClock.make(moment)) })
  })
  afterAll(() => service.close())

  const last = () => {
    const { ms, ...entry } = service.log.at(-1) ?? assert.fail("nothing logged")
    assert.isNumber(ms)
    return JSON.parse(JSON.stringify(entry)) as object
  }

  it("has one line per request with all annotations", async () => {
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

  it("omits the outfitter if the key is invalid, and the route if the address is unknown", async () => {
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
