import { formatExampleMessage, type RefusalCode } from "@trailbook/core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Probe from "./Probe.ts"
import { type Answer, errorOf, type Service, start } from "./Service.ts"

describe("error responses", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ registry: Probe.make().layer, rateLimit: { failuresPerMinute: 0 } })
  })
  afterAll(() => service.close())

  it("have the refusal's code, message, and HTTP status", async () => {
    const answers = []
    for (const code of Probe.codes) answers.push(await service.ask("GET", `/v1/probe/refuse?code=${code}`))
    assert.deepStrictEqual(answers.map(({ status }) => status), [400, 401, 403, 404, 409, 429, 503])
    assert.deepStrictEqual(answers.map(errorOf), Probe.codes.map((code) => ({ code, message: "As asked." })))
    assert.strictEqual(answers[1]?.headers.get("www-authenticate"), "Bearer")
  })

  it("include a Retry-After header if the caller can retry", async () => {
    const after = async (query: string) =>
      (await service.ask("GET", `/v1/probe/refuse?${query}`)).headers.get("retry-after")
    assert.strictEqual(await after("code=resend_limited&after=7"), "7")
    assert.strictEqual(await after("code=unavailable&after=3"), "3")
    assert.strictEqual(await after("code=unavailable"), "1")
    assert.isNull(await after("code=slot_full"))
  })

  it("hide a defect from the caller, and log it in full", async () => {
    const answer = await service.ask("GET", "/v1/probe/break")
    assert.strictEqual(answer.status, 500)
    assert.strictEqual(errorOf(answer).code, "internal")
    assert.notInclude(answer.text, "boiler")
    const defect = service.log.findLast(({ msg }) => msg === "defect")
    assert.strictEqual(defect?.request_id, answer.headers.get("x-request-id"))
    assert.strictEqual(defect?.level, "error")
    assert.strictEqual(defect?.op, "probe.break")
    assert.include(defect?.error, "The boiler burst.")
  })

  it("have the code \"unavailable\" if the database is unavailable", async () => {
    const answer = await service.ask("GET", "/v1/probe/break?unavailable=true")
    assert.strictEqual(answer.status, 503)
    assert.strictEqual(errorOf(answer).code, "unavailable")
    assert.strictEqual(answer.headers.get("retry-after"), "1")
  })

  it("do not stop the service", async () => {
    assert.strictEqual((await service.ask("GET", "/livez", { key: null })).status, 200)
  })
})

describe("an error message", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ rateLimit: { perSecond: 0 } })
  })
  afterAll(() => service.close())

  const requests = {
    invalid_request: () =>
      service.ask("POST", "/v1/bookings", { body: { offering_id: crypto.randomUUID(), quantity: 0 } }),
    unauthorized: () => service.ask("GET", "/v1/org", { key: null }),
    forbidden: async () =>
      service.ask("POST", "/v1/bookings", { key: await service.newKey({ scopes: ["read"] }), body: {} }),
    not_found: () => service.ask("GET", `/v1/bookings/${crypto.randomUUID()}`),
    method_not_allowed: () => service.ask("DELETE", "/v1/openapi.json"),
    too_large: () => service.ask("POST", "/v1/quotes", { body: "x".repeat(2 ** 20 + 1) }),
    unsupported_media_type: () =>
      service.ask("POST", "/v1/bookings", { body: {}, headers: { "content-type": "text/plain" } })
  } satisfies { readonly [Code in RefusalCode]?: () => Promise<Answer> }

  it.each(Object.entries(requests))("matches the reference's example for %s", async (name, ask) => {
    const { code, message } = errorOf(await ask())
    assert.strictEqual(code, name)
    const anyId = (text: string) => text.replace(/[0-9a-f]{8}(-[0-9a-f]+)+/, "<id>")
    assert.strictEqual(anyId(message), anyId(formatExampleMessage(name as keyof typeof requests)))
  })
})
