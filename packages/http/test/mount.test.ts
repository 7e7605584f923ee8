/** Tests a mount, which serves another protocol on the same port as the operations. */
import { scopes } from "@trailbook/core/actor"
import * as Effect from "effect/Effect"
import { assert, describe, it, onTestFinished } from "vitest"
import { HttpFailure } from "../src/HttpFailure.ts"
import type { Mount, MountRequest } from "../src/Mount.ts"
import { errorOf, type Options, type Service, start } from "./Service.ts"

const startMount = async (options: Options = {}) => {
  const requests: Array<MountRequest> = []
  const mount: Mount = {
    path: "/echo",
    refuse: ({ headers }) =>
      headers.has("x-foreign") ? new HttpFailure({ code: "forbidden", message: "Not from there." }) : undefined,
    challenge: () => "Bearer resource_metadata=\"here\"",
    answer: (_request, mountRequest) => {
      requests.push(mountRequest)
      mountRequest.onOperation("bookings.get")
      const { body } = mountRequest
      if (typeof body === "object" && body !== null && "silent" in body) {
        return Effect.succeed({ status: 202, body: null })
      }
      if (typeof body === "object" && body !== null && "broken" in body) return Effect.dieMessage("broken inside")
      return Effect.succeed({ status: 207, body: JSON.stringify(body) })
    },
    documents: { "/about": ({ url }) => ({ about: new URL(url).pathname }) }
  }
  const service = await start({ mounts: [mount], ...options })
  onTestFinished(service.close)
  return { requests, service }
}

const post = (service: Service, body: unknown = { hello: 1 }, rest: Parameters<Service["ask"]>[2] = {}) =>
  service.ask("POST", "/echo", { body, ...rest })

describe("a mounted handler", () => {
  it("receives the caller and the body", async () => {
    const { requests, service } = await startMount()
    const answer = await post(service)
    assert.strictEqual(answer.status, 207)
    assert.deepStrictEqual(answer.json, { hello: 1 })
    assert.strictEqual(answer.headers.get("content-type"), "application/json")
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assert.isNotNull(answer.headers.get("x-request-id"))
    assert.isNotNull(answer.headers.get("ratelimit"))
    assert.lengthOf(requests, 1)
    assert.deepStrictEqual(requests[0]?.actor, {
      _tag: "Key",
      orgId: service.orgId,
      scopes: new Set(scopes),
      keyId: service.key.slice(8, 20),
      source: "api"
    })
  })

  it("sends no content type if its response has no body", async () => {
    const { service } = await startMount()
    const answer = await post(service, { silent: true })
    assert.deepStrictEqual([answer.status, answer.text], [202, ""])
    assert.isNull(answer.headers.get("content-type"))
  })

  it("returns status 500 and logs the details if it fails", async () => {
    const { service } = await startMount()
    const answer = await post(service, { broken: true })
    assert.strictEqual(answer.status, 500)
    assert.strictEqual(errorOf(answer).code, "internal")
    assert.notInclude(answer.text, "inside")
    assert.include(service.log.find(({ msg }) => msg === "defect")?.error, "broken inside")
  })

  it("is logged with the name of the operation", async () => {
    const { service } = await startMount()
    await post(service, {}, { headers: { "x-request-id": "mine" } })
    const { level, op, org_id, request_id, route, status } = service.log.at(-1) ?? {}
    assert.deepStrictEqual({ level, op, org_id, request_id, route, status }, {
      level: "info",
      op: "bookings.get",
      org_id: service.orgId,
      request_id: "mine",
      route: "/echo",
      status: 207
    })
  })

  it("checks the key before it reads the body", async () => {
    const { requests, service } = await startMount()
    for (const key of [null, "nonsense", `${service.key}x`]) {
      const answer = await post(service, "{", { key })
      assert.strictEqual(answer.status, 401)
      assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer resource_metadata=\"here\"")
      assert.strictEqual(errorOf(answer).code, "unauthorized")
    }
    const revokedKey = await service.newKey()
    await service.revoke(revokedKey)
    assert.strictEqual((await post(service, {}, { key: revokedKey })).status, 401)
    assert.lengthOf(requests, 0)
  })

  it("runs its guard before it checks the key", async () => {
    const { requests, service } = await startMount()
    const headers = { "x-foreign": "1" }
    assert.strictEqual((await post(service, {}, { key: null, headers })).status, 403)
    assert.strictEqual((await service.ask("GET", "/about", { headers })).status, 403)
    assert.deepStrictEqual((await service.ask("GET", "/about", { key: null })).json, { about: "/about" })
    assert.lengthOf(requests, 0)
  })

  it("shares the key's rate limit with the operations", async () => {
    const { service } = await startMount({ rateLimit: { perSecond: 0.001, burst: 2 } })
    const statuses = [await post(service), await service.ask("GET", "/v1/org"), await post(service)]
    assert.deepStrictEqual(statuses.map(({ status }) => status), [207, 200, 429])
    assert.isNotNull(statuses[2]?.headers.get("retry-after"))
  })

  it("accepts only JSON objects by POST", async () => {
    const { requests, service } = await startMount()
    const limit = (128 + 16) * 1024
    assert.strictEqual((await post(service, JSON.stringify({ text: "x" }).padEnd(limit))).status, 207)
    requests.length = 0
    const wrong = [
      await post(service, "{"),
      await post(service, "[]"),
      await post(service, JSON.stringify({ text: "x" }).padEnd(limit + 1)),
      await post(service, "{}", { headers: { "content-type": "text/plain" } })
    ]
    assert.deepStrictEqual(wrong.map(({ status }) => status), [400, 400, 413, 415])
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await service.ask(method, "/echo")
      assert.strictEqual(answer.status, 405)
      assert.strictEqual(answer.headers.get("allow"), "POST, OPTIONS")
    }
    assert.lengthOf(requests, 0)
  })
})
