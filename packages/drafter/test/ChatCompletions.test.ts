/** Tests over HTTP against a fake provider on loopback. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { it } from "@effect/vitest"
import { Drafter } from "@trailbook/core/conversation"
import { ChatCompletions } from "@trailbook/drafter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { assert } from "vitest"
import { type Answering, service } from "./Service.ts"

const prompt = { instructions: "Word a reply.", material: "{\"messages\":[]}" }

const draft = (options: ChatCompletions.Options) =>
  Effect.flatMap(Drafter, ({ draft }) => draft(prompt)).pipe(
    Effect.provide(ChatCompletions.layer(options)),
    Effect.provide(FetchHttpClient.layer)
  )

const saying = (content: unknown) => ({ body: { choices: [{ index: 0, message: { role: "assistant", content } }] } })

it.live("sends the instructions separately from the conversation, without tools", () =>
  Effect.scoped(Effect.gen(function*() {
    const model = yield* service
    model.answer = () => saying("Yes, they are.")
    const text = yield* draft({ url: `${model.url}/v1/`, model: "llama3.2", key: Redacted.make("sk-1") })
    assert.strictEqual(text, "Yes, they are.")
    const [{ body, headers, method, path } = { body: "", headers: {}, method: "", path: "" }] = model.requests
    assert.deepStrictEqual({ method, path, key: headers["authorization"] }, {
      method: "POST",
      path: "/v1/chat/completions",
      key: "Bearer sk-1"
    })
    assert.deepStrictEqual(JSON.parse(body), {
      model: "llama3.2",
      messages: [{ role: "system", content: prompt.instructions }, { role: "user", content: prompt.material }]
    })
  })))

it.live("requires no API key, and joins the parts of a response", () =>
  Effect.scoped(Effect.gen(function*() {
    const model = yield* service
    model.answer = () => saying([{ type: "text", text: "Yes, " }, { type: "text", text: "they are." }])
    assert.strictEqual(yield* draft({ url: model.url, model: "m" }), "Yes, they are.")
    assert.isUndefined(model.requests[0]?.headers["authorization"])
  })))

const troubles: ReadonlyArray<readonly [string, Answering, RegExp]> = [
  ["401", () => ({ status: 401, body: { error: { message: "wet socks" } } }), /rejected the API key \(status 401\)/],
  ["404", () => ({ status: 404, body: {} }), /The URL or model does not exist/],
  ["429", () => ({ status: 429, body: {} }), /Too many requests/],
  ["400", () => ({ status: 400, body: "wet socks" }), /rejected the request/],
  ["500", () => ({ status: 500, body: "wet socks" }), /service failed/],
  ["a redirect", () => ({ status: 307, body: "", headers: { location: "http://127.0.0.1:1/" } }), /status 307/],
  ["invalid JSON", () => ({ body: "<html>wet socks" }), /is not JSON/],
  ["a truncated response", () => ({ body: "{\"choices\":[" }), /is not JSON/],
  ["null", () => ({ body: "null" }), /no text/],
  ["no choices", () => ({ body: { choices: [] } }), /no text/],
  ["a refusal", () => saying(null), /no text/],
  [
    "a tool call",
    () => ({ body: { choices: [{ message: { content: null, tool_calls: [{ id: "x" }] } }] } }),
    /no text/
  ],
  ["a response that is too long", () => ({ body: `"${"x".repeat(2 * 1024 * 1024)}"` }), /too long/],
  ["a dropped connection", () => "drops", /is unreachable/]
]

it.live.each(troubles)(
  "creates no draft from %s, and reports why without quoting the response",
  ([, answer, why]) =>
    Effect.scoped(Effect.gen(function*() {
      const model = yield* service
      model.answer = answer
      const { message } = yield* Effect.flip(draft({ url: model.url, model: "m", key: Redacted.make("sk-1") }))
      assert.match(message, why)
      assert.notMatch(message, /wet socks|sk-1/)
      assert.lengthOf(model.requests, 1)
    }))
)

it.live("creates no draft if the server is down", () =>
  Effect.gen(function*() {
    const { message } = yield* Effect.flip(draft({ url: "http://127.0.0.1:1", model: "m" }))
    assert.match(message, /is unreachable/)
  }))

it.live("aborts a hanging request when the caller is interrupted", () =>
  Effect.scoped(Effect.gen(function*() {
    const model = yield* service
    model.answer = () => "hangs"
    const draftFiber = yield* Effect.fork(draft({ url: model.url, model: "m" }))
    yield* model.begun
    yield* Fiber.interrupt(draftFiber)
    yield* model.gone
  })))

it.live("reports whether the server offers the model", () =>
  Effect.scoped(Effect.gen(function*() {
    const model = yield* service
    const has = (name: string) =>
      ChatCompletions.checkModel({ url: model.url, model: name }).pipe(
        Effect.map((it) => it.hasModel),
        Effect.provide(FetchHttpClient.layer)
      )
    model.answer = () => ({ body: { data: [{ id: "gpt-5-mini" }, { id: "llama3.2:latest" }] } })
    assert.deepStrictEqual(yield* Effect.all([has("gpt-5-mini"), has("llama3.2"), has("gpt")]), [true, true, false])
    assert.deepStrictEqual(model.requests.map(({ method, path }) => `${method} ${path}`)[0], "GET /models")
    for (const body of [{ data: [] }, {}, []]) {
      model.answer = () => ({ body })
      assert.isNull(yield* has("m"))
    }
    model.answer = () => ({ status: 404, body: "" })
    assert.isNull(yield* has("m"))
    model.answer = () => ({ status: 403, body: "" })
    assert.match((yield* Effect.flip(has("m"))).message, /rejected the API key/)
  })))
