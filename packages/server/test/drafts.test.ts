import { it as effect } from "@effect/vitest"
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { Drafter, DraftStore } from "@trailbook/core/conversation"
import { Registry } from "@trailbook/core/operation"
import { accountsLayer, createOrg, type DatabaseUrl } from "@trailbook/runtime"
import { startServer } from "@trailbook/server"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as TestClock from "effect/TestClock"
import { createServer } from "node:http"
import { BookingEngine } from "trailbook/effect"
import { assert, describe, expect, it, onTestFinished } from "vitest"
import { folder, request } from "../../cli/test/program.ts"

const post = (body: object) => ({ method: "POST", body: JSON.stringify(body) })

/** Starts a language model service that returns the message that it received. */
const echoing = async () => {
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += String(chunk)
    })
    request.on("end", () => {
      const { messages }: { messages: ReadonlyArray<{ content: string }> } = JSON.parse(body)
      const content = `Told: ${messages[1]?.content}`
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ choices: [{ message: { content } }] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`
}

const serve = async (settings: Partial<Parameters<typeof startServer>[0]>) => {
  const database: DatabaseUrl = { _tag: "Sqlite", file: `${folder()}/a.sqlite` }
  const server = await startServer({ database, port: 0, ...settings })
  onTestFinished(server.stop)
  const { token } = await Effect.runPromise(
    Effect.provide(createOrg({ name: "Salida", timezone: "America/Denver" }), accountsLayer(database))
  )
  const call = (path: string, body?: object) =>
    request(`${server.baseUrl}${path}`, token, body === undefined ? {} : post(body))
  const { body: guest } = await call("/customers", { email: "ann@example.com", name: "Ann" })
  const { body: message } = await call("/messages", { customer_id: guest.id, body: "Bring a towel." })
  return { call, conversation_id: String(message["conversation_id"]) }
}

describe("drafts from the server", () => {
  it("are written by the configured language model", async () => {
    const { call, conversation_id } = await serve({ draftsUrl: await echoing(), draftsModel: "m", draftsKey: "k" })
    const { body, status } = await call("/messages/draft", { conversation_id })
    expect(status).toBe(200)
    expect(body["text"]).toMatch(/^Told: .*"from":"outfitter","text":"Bring a towel\."/)
    const { body: messages } = await call("/messages")
    expect(messages.data).toHaveLength(1)
  })

  it("distinguish a missing model from an unavailable one", async () => {
    const off = await serve({})
    expect(await off.call("/messages/draft", { conversation_id: off.conversation_id })).toMatchObject({
      status: 409,
      body: { error: { code: "drafts_unavailable" } }
    })
    const away = await serve({ draftsUrl: "http://127.0.0.1:1", draftsModel: "m", logLevel: "silent" })
    expect(await away.call("/messages/draft", { conversation_id: away.conversation_id })).toMatchObject({
      status: 502,
      body: { error: { code: "draft_failed" } }
    })
  })
})

effect.scoped(
  "a request to a language model is aborted after 30 seconds, and its draft does not count toward the limit",
  () =>
    Effect.gen(function*() {
      const hasBegun = yield* Deferred.make<void>()
      const hasEnded = yield* Deferred.make<void>()
      const drafter = Layer.succeed(
        Drafter,
        Drafter.of({
          draft: () =>
            Deferred.succeed(hasBegun, undefined).pipe(
              Effect.zipRight(Effect.never),
              Effect.onInterrupt(() => Deferred.succeed(hasEnded, undefined))
            )
        })
      )
      const engine = yield* Layer.build(BookingEngine.layer({ database: ":memory:" }, { drafter }))
      yield* Effect.gen(function*() {
        const { org: { id: orgId } } = yield* createOrg({ name: "Salida", timezone: "America/Denver" })
        const { run } = yield* Registry
        const call = (name: string, input: unknown) =>
          Effect.provideService(run(name, input), Actor, makeHostActor({ orgId }))
        const guest = yield* call("customers.upsert", { email: "ann@example.com" })
        const { conversation_id } = (yield* call("messages.send", {
          customer_id: (guest as { id: string }).id,
          body: "Bring a towel."
        })) as { conversation_id: string }
        const drafting = yield* Effect.fork(Effect.flip(call("messages.draft", { conversation_id })))
        yield* Deferred.await(hasBegun)
        const { requestTimes: times } = yield* DraftStore
        assert.lengthOf(yield* times(orgId), 1)
        yield* TestClock.adjust("29 seconds")
        assert.isNull(yield* Fiber.poll(drafting).pipe(Effect.map((exit) => exit._tag === "None" ? null : exit)))
        yield* TestClock.adjust("1 seconds")
        assert.strictEqual((yield* Fiber.join(drafting)).code, "draft_failed")
        yield* Deferred.await(hasEnded)
        assert.isEmpty(yield* times(orgId))
      }).pipe(Effect.provide(engine), Logger.withMinimumLogLevel(LogLevel.None))
    })
)

effect.scoped(
  "the 61st draft within a day is refused until the first is a day old, and the error states the wait time",
  () =>
    Effect.gen(function*() {
      const drafter = Layer.succeed(Drafter, Drafter.of({ draft: () => Effect.succeed("Yes.") }))
      const engine = yield* Layer.build(BookingEngine.layer({ database: ":memory:" }, { drafter }))
      yield* Effect.gen(function*() {
        const { org: { id: orgId } } = yield* createOrg({ name: "Salida", timezone: "America/Denver" })
        const { run } = yield* Registry
        const call = (name: string, input: unknown) =>
          Effect.provideService(run(name, input), Actor, makeHostActor({ orgId }))
        const guest = yield* call("customers.upsert", { email: "ann@example.com" })
        const { conversation_id } = (yield* call("messages.send", {
          customer_id: (guest as { id: string }).id,
          body: "Bring a towel."
        })) as { conversation_id: string }
        const draft = call("messages.draft", { conversation_id })
        const wait = Effect.map(Effect.flip(draft), (refusal) => refusal.retryAfterSeconds)
        yield* draft
        yield* TestClock.adjust("1 hours")
        for (let n = 2; n <= 60; n++) yield* draft
        yield* TestClock.adjust("500 millis")
        assert.strictEqual((yield* Effect.flip(draft)).code, "draft_limited")
        assert.strictEqual(yield* wait, 23 * 3600)
        yield* TestClock.adjust("22 hours")
        assert.strictEqual(yield* wait, 3600)
        yield* TestClock.adjust("1 hours")
        yield* draft
        assert.strictEqual(yield* wait, 3600)
      }).pipe(Effect.provide(engine), Logger.withMinimumLogLevel(LogLevel.None))
    })
)
