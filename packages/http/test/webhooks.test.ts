/** Tests the webhook operations, through the registry and over real HTTP. */
import { Refusal } from "@trailbook/core"
import { Actor, type ApiKeyScope, makeHostActor, scopes } from "@trailbook/core/actor"
import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Service, start } from "./Service.ts"

const url = "https://example.com/hook"

let service: Service
beforeAll(async () => {
  service = await start({ rateLimit: { perSecond: 0 } })
})
afterAll(() => service.close())

const create = (body: unknown) => service.ask("POST", "/v1/webhooks", { body })
const codeOf = ({ json }: { readonly json: unknown }) => Reflect.get(Object(Reflect.get(Object(json), "error")), "code")
const sentence = ({ json }: { readonly json: unknown }) =>
  String(Reflect.get(Object(Reflect.get(Object(json), "error")), "message"))
const fieldOf = (json: unknown, name: string): unknown => Reflect.get(Object(json), name)

describe("webhooks over HTTP", () => {
  it("return the secret only on creation", async () => {
    const response = await create({ url, events: ["booking.confirmed", "trail.opened"] })
    assert.strictEqual(response.status, 201)
    const { secret, ...webhook } = Object(response.json)
    assert.match(secret, /^whsec_[0-9A-Za-z]{44}$/)
    assert.deepEqual(Object.keys(webhook), [
      "id",
      "url",
      "events",
      "active",
      "last_status",
      "last_error",
      "last_attempt_at",
      "created_at"
    ])
    assert.deepInclude(webhook, {
      url,
      events: ["booking.confirmed", "trail.opened"],
      active: true,
      last_status: null,
      last_error: null,
      last_attempt_at: null
    })
    const listResponse = await service.ask("GET", "/v1/webhooks")
    assert.deepEqual(listResponse.json, { data: [webhook] })
    const exportResponse = await service.ask("GET", "/v1/org/export")
    assert.deepEqual(fieldOf(exportResponse.json, "webhooks"), [webhook])
    for (const { text } of [listResponse, exportResponse]) assert.notInclude(text, secret.slice(6))

    const path = `/v1/webhooks/${String(webhook.id)}`
    assert.deepEqual((await service.ask("DELETE", path)).json, { ok: true })
    const again = await service.ask("DELETE", path)
    assert.deepEqual([again.status, codeOf(again)], [404, "not_found"])
    assert.deepEqual((await service.ask("GET", "/v1/webhooks")).json, { data: [] })
  })

  it("receive all events by default", async () => {
    const { json } = await create({ url })
    assert.deepEqual(fieldOf(json, "events"), ["*"])
    await service.ask("DELETE", `/v1/webhooks/${String(fieldOf(json, "id"))}`)
  })

  it.each([
    [{}, "url: is required"],
    [{ url: "example.com" }, "url: must be an https URL"],
    [{ url: "https://me@example.com/" }, "url: must be an https URL"],
    [{ url: "https://example.com/#a" }, "url: must be an https URL"],
    [{ url: `https://example.com/${"a".repeat(2000)}` }, "url: must be an https URL"],
    // The schema accepts this URL, but the sender rejects it. Only the sender knows which addresses are reachable.
    [{ url: "http://example.com/" }, "url: must be an https URL"],
    [{ url, events: [] }, "events: must have 1 to 30 items"],
    [{ url, events: Array.from({ length: 31 }, () => "a") }, "events: must have at most 30 items"],
    [{ url, events: [""] }, "events.0: must be 1 to 60 characters long"],
    [{ url, events: ["a".repeat(61)] }, "events.0: must be 1 to 60 characters long"],
    [{ url, events: "*" }, "events: must be a list"],
    [{ url, secret: "mine" }, "secret: is not a field of this request"]
  ])("cannot be created from %j: %s", async (body, message) => {
    const answer = await create(body)
    assert.deepEqual([answer.status, codeOf(answer)], [400, "invalid_request"])
    assert.include(sentence(answer), message)
    assert.deepEqual((await service.ask("GET", "/v1/webhooks")).json, { data: [] })
  })

  it("are limited to 20, even if they are created concurrently", async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => create({ url: `${url}/${at}` })))
    assert.deepEqual(answers.map(({ status }) => status).sort((a, b) => a - b), [
      ...Array(20).fill(201),
      ...Array(10).fill(409)
    ])
    const refusal = answers.find(({ status }) => status === 409)
    assert.strictEqual(refusal === undefined ? undefined : codeOf(refusal), "webhook_limit")
    const ids = answers.flatMap(({ json, status }) => status === 201 ? [String(fieldOf(json, "id"))] : [])
    assert.lengthOf(Object(fieldOf((await service.ask("GET", "/v1/webhooks")).json, "data")), 20)
    await service.ask("DELETE", `/v1/webhooks/${ids[0] ?? ""}`)
    assert.strictEqual((await create({ url })).status, 201)
    const { json } = await service.ask("GET", "/v1/webhooks")
    for (const webhook of Object(fieldOf(json, "data"))) {
      await service.ask("DELETE", `/v1/webhooks/${String(fieldOf(webhook, "id"))}`)
    }
  })

  it("can be created only with the write scope", async () => {
    const key = await service.newKey({ scopes: ["read", "admin"] })
    const response = await service.ask("POST", "/v1/webhooks", { key, body: { url } })
    assert.deepEqual([response.status, codeOf(response)], [403, "forbidden"])
    assert.include(JSON.stringify(response.json), "write")
    assert.strictEqual((await service.ask("GET", "/v1/webhooks", { key })).status, 200)
  })

  it("require a key with the admin scope", async () => {
    const key = await service.newKey({ scopes: ["read", "write"] })
    for (const [method, path] of [["GET", ""], ["POST", ""], ["DELETE", `/${service.orgId}`]] as const) {
      const body = method === "POST" ? { url } : undefined
      assert.strictEqual((await service.ask(method, `/v1/webhooks${path}`, { key, body })).status, 403)
    }
  })
})

describe("webhook operations in the registry", () => {
  const call = (name: string, input: unknown, may: ReadonlyArray<ApiKeyScope> = scopes) =>
    Effect.runPromise(
      Effect.merge(service.registry.run(name, input)).pipe(
        Effect.provideService(Actor, makeHostActor({ orgId: service.orgId, source: "mcp", scopes: may }))
      )
    )

  it("return the same results as HTTP requests", async () => {
    const webhook = await call("webhooks.create", { url })
    const list = await call("webhooks.list", {})
    assert.strictEqual(fieldOf(Object(fieldOf(list, "data"))[0], "id"), fieldOf(webhook, "id"))
    assert.deepEqual(await call("webhooks.delete", { id: fieldOf(webhook, "id") }), { ok: true })
    const refusal = await call("webhooks.delete", { id: fieldOf(webhook, "id") })
    assert.instanceOf(refusal, Refusal)
    assert.strictEqual(fieldOf(refusal, "code"), "not_found")
    assert.strictEqual(fieldOf(await call("webhooks.list", {}, ["read", "write"]), "code"), "forbidden")
  })
})
