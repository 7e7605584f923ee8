import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { errorOf, type Service, start } from "./Service.ts"

describe("the health checks", () => {
  let ready = true
  let live = true
  let service: Service
  beforeAll(async () => {
    service = await start({ ready: Effect.sync(() => ready), live: Effect.sync(() => live) })
  })
  afterAll(() => service.close())

  it.each(["/livez", "/healthz", "/readyz"])("return only the status, and require no key: %s", async (path) => {
    const answer = await service.ask("GET", path, { key: null })
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.text, "{\"status\":\"ok\"}")
  })

  it("report readiness separately from liveness", async () => {
    ready = false
    const answer = await service.ask("GET", "/readyz", { key: null })
    assert.strictEqual(answer.status, 503)
    assert.strictEqual(errorOf(answer).code, "unavailable")
    assert.strictEqual(answer.headers.get("retry-after"), "1")
    assert.strictEqual((await service.ask("GET", "/livez", { key: null })).status, 200)
    ready = true
    assert.strictEqual((await service.ask("GET", "/readyz", { key: null })).status, 200)
  })

  it("report a server that is shutting down as not ready", async () => {
    const answer = await service.handler(new Request(`${service.url}/readyz`), { leaving: true })
    assert.strictEqual(answer.status, 503)
    assert.isNull(answer.headers.get("connection"))
    assert.strictEqual((await service.handler(new Request(`${service.url}/livez`), { leaving: true })).status, 200)
  })

  it.each(["/livez", "/healthz"])("fail after the service stops: %s", async (path) => {
    live = false
    const answer = await service.ask("GET", path, { key: null })
    assert.strictEqual(answer.status, 503)
    assert.strictEqual(errorOf(answer).code, "unavailable")
    live = true
  })
})
