import { Actor, type StaffActor } from "@trailbook/core/actor"
import * as ApiKey from "@trailbook/core/actor/ApiKey"
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { errorOf, type Service, start } from "./Service.ts"

describe("authentication", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ rateLimit: { failuresPerMinute: 0 } })
  })
  afterAll(() => service.close())

  const askRefused = async (headers: Record<string, string>, path = "/v1/org") => {
    const answer = await service.ask("GET", path, { key: null, headers })
    assert.strictEqual(answer.status, 401)
    assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
    return errorOf(answer)
  }

  it("records a key's first request from a new network in the audit log", async () => {
    const { key, orgId, registry } = service
    for (let n = 0; n < 2; n++) assert.strictEqual((await service.ask("GET", "/v1/org", { key })).status, 200)
    const staff: StaffActor = { _tag: "Staff", orgId, staffId: "ann", scopes: new Set(["staff"]) }
    const listAudit = () =>
      Effect.runPromise(Effect.map(
        Effect.provideService(registry.run("staff.audit", {}), Actor, staff),
        (page) => (page as { readonly data: ReadonlyArray<Readonly<Record<string, unknown>>> }).data
      ))
    const of = key.slice(8, 20)
    await vi.waitUntil(async () => (await listAudit()).some(({ subject }) => subject === of), { timeout: 60_000 })
    const [entry, ...rest] = (await listAudit()).filter(({ subject }) => subject === of)
    assert.deepInclude(entry, { by: "key", what: "key.new_network", name: "127.0.0.0/24" })
    assert.deepStrictEqual(rest, [])
  })

  it("returns the same response for every kind of invalid key", async () => {
    const revokedKey = await service.newKey()
    await service.revoke(revokedKey)
    const expiredKey = await service.newKey({ expiresAt: Instant.make(1) })
    const { key } = service
    const wrongSecret = await service.newKey()
    const messages = [
      await askRefused({}),
      await askRefused({ authorization: "" }),
      await askRefused({ authorization: key }),
      await askRefused({ authorization: "Bearer" }),
      await askRefused({ authorization: "Bearer " }),
      await askRefused({ authorization: `Basic ${key}` }),
      await askRefused({ authorization: `Bearer ${key}x` }),
      await askRefused({ authorization: `Bearer ${key.slice(0, 20)}${wrongSecret.slice(20)}` }),
      await askRefused({ authorization: `Bearer ${key}, Bearer ${key}` }),
      await askRefused({ authorization: `Bearer ${revokedKey}` }),
      await askRefused({ authorization: `Bearer ${expiredKey}` }),
      await askRefused({ "x-api-key": key }),
      await askRefused({ cookie: `key=${key}` })
    ]
    assert.strictEqual(new Set(messages.map(({ code }) => code)).size, 1)
    assert.strictEqual(messages[0]?.code, "unauthorized")
    assert.strictEqual(new Set(messages.map(({ message }) => message)).size, 1)
  })

  it("never accepts a key in the query string", async () => {
    assert.strictEqual((await askRefused({}, `/v1/org?api_key=${service.key}`)).code, "unauthorized")
    const answer = await service.ask("GET", `/v1/org?key=${service.key}`)
    assert.strictEqual(answer.status, 400)
    assert.match(errorOf(answer).message, /^key:/)
    assert.notInclude(JSON.stringify(service.log), service.key.slice(20, 52))
  })

  it("ignores the case of the scheme and spaces around the key", async () => {
    for (const authorization of [`bearer ${service.key}`, `BEARER   ${service.key}  `]) {
      const answer = await service.ask("GET", "/v1/org", { key: null, headers: { authorization } })
      assert.strictEqual(answer.status, 200)
    }
  })

  it("returns 401 before any other error", async () => {
    const wrongs = [
      await service.ask("GET", "/v1/bookings/no-uuid?nothing=1", { key: null }),
      await service.ask("POST", "/v1/bookings", { key: null, body: "{" }),
      await service.ask("POST", "/v1/bookings", { key: null, body: "<a/>", headers: { "content-type": "text/xml" } }),
      await service.ask("POST", "/v1/bookings", { key: null, body: "x".repeat(2 ** 21) })
    ]
    assert.deepStrictEqual(wrongs.map(({ status }) => status), [401, 401, 401, 401])
  })

  it("limits a key to its scopes, even if the body is invalid", async () => {
    const reader = await service.newKey({ scopes: ["read"] })
    const writer = await service.newKey({ scopes: ["write"] })
    const answers = [
      await service.ask("GET", "/v1/offerings", { key: reader }),
      await service.ask("POST", "/v1/offerings", { key: reader, body: { name: "Raft", kind: "class" } }),
      await service.ask("POST", "/v1/offerings", { key: reader, body: "{" }),
      await service.ask("POST", "/v1/offerings", { key: writer, body: { name: "Raft", kind: "class" } }),
      await service.ask("GET", "/v1/offerings", { key: writer }),
      await service.ask("GET", "/v1/org/export", { key: reader })
    ]
    assert.deepStrictEqual(answers.map(({ status }) => status), [200, 403, 403, 201, 403, 403])
    const refusal = answers[1]
    assert.isDefined(refusal)
    assert.strictEqual(errorOf(refusal).code, "forbidden")
  })

  it("refuses a revoked key from the next request onward", async () => {
    const key = await service.newKey()
    assert.strictEqual((await service.ask("GET", "/v1/org", { key })).status, 200)
    await service.revoke(key)
    assert.strictEqual((await service.ask("GET", "/v1/org", { key })).status, 401)
  })

  it("caches a valid key, but does not accept similar keys", async () => {
    const key = await service.newKey()
    const token = ApiKey.parse(key)
    assert.isDefined(token)
    const { mode, secret } = token
    const others = [
      { ...token, mode: mode === "live" ? "test" as const : "live" as const },
      { ...token, secret: secret.replace(/.$/, (last) => last === "a" ? "b" : "a") },
      { ...token, secret: secret.replace(/^./, (first) => first === "a" ? "b" : "a") }
    ]
    for (const wrong of others) {
      assert.strictEqual((await service.ask("GET", "/v1/org", { key })).status, 200)
      await askRefused({ authorization: `Bearer ${ApiKey.format(wrong)}` })
    }
    assert.strictEqual((await service.ask("GET", "/v1/org", { key })).status, 200)
  })

  it("refuses a cached key after it expires", async () => {
    const clock = await Effect.runPromise(SettableClock.make(Instant.make(1_800_000_000_000)))
    const clockedService = await start({ clock })
    const key = await clockedService.newKey({ expiresAt: Instant.make(1_800_000_060_000) })
    const statusNow = async () => (await clockedService.ask("GET", "/v1/org", { key })).status
    const before = [await statusNow(), await statusNow()]
    await Effect.runPromise(clock.advance(60_000))
    const after = await statusNow()
    await clockedService.close()
    assert.deepStrictEqual([before, after], [[200, 200], 401])
  })

  it("returns not found for another outfitter's resources", async () => {
    const other = await start()
    const response = await other.ask("POST", "/v1/offerings", { body: { name: "Raft", kind: "class" } })
    const { id } = response.json as { readonly id: string }
    await other.close()
    const answer = await service.ask("GET", `/v1/offerings/${id}`)
    assert.strictEqual(answer.status, 404)
    assert.strictEqual(errorOf(answer).code, "not_found")
  })
})
