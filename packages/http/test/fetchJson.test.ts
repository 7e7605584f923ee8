/** Tests that `fetchJson` sends its requests through the caller's `HttpClient` and limits the response. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { it } from "@effect/vitest"
import { fetchJson } from "@trailbook/http/fetchJson"
import * as Effect from "effect/Effect"
import { assert, describe } from "vitest"

/**
 * Creates a client that does not use the network. The client records its requests and whether the last one was aborted.
 */
const recorder = (respond: () => Response) => {
  const requests: Array<HttpClientRequest.HttpClientRequest> = []
  let last: AbortSignal | undefined
  const client = HttpClient.make((request, _url, signal) => {
    requests.push(request)
    last = signal
    return Effect.succeed(HttpClientResponse.fromWeb(request, respond()))
  })
  return { client, requests, isAborted: () => last?.aborted }
}

const request = HttpClientRequest.get("https://service.example/data", { headers: { "x-api-key": "key" } })

const endless = () =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(1024).fill(32)) })

describe("fetchJson", () => {
  it.effect("returns the JSON of a response with status 200", () =>
    Effect.gen(function*() {
      const { client } = recorder(() => Response.json({ water: "höher" }))
      assert.deepStrictEqual(yield* fetchJson(client, request, 100), { status: 200, json: { water: "höher" } })
    }))

  it.effect("sends the request only once, without the caller's tracing headers", () =>
    Effect.gen(function*() {
      const { client, requests } = recorder(() => Response.json(1))
      yield* Effect.withSpan(fetchJson(client, request, 100), "caller")
      assert.deepStrictEqual(requests.map(({ headers }) => Object.entries(headers)), [[["x-api-key", "key"]]])
    }))

  it.effect("aborts a response with any status other than 200", () =>
    Effect.gen(function*() {
      const { client, isAborted } = recorder(() =>
        new Response(endless(), { status: 302, headers: { location: "https://x.example" } })
      )
      assert.deepStrictEqual(yield* fetchJson(client, request, 100), { status: 302, json: undefined })
      assert.isTrue(isAborted())
    }))

  it.effect("aborts a response that is longer than the limit", () =>
    Effect.gen(function*() {
      const { client, isAborted } = recorder(() => new Response(endless()))
      assert.strictEqual(yield* Effect.flip(fetchJson(client, request, 4096)), "too_long")
      assert.isTrue(isAborted())
    }))

  it.effect("accepts a body that is exactly as long as the limit", () =>
    Effect.gen(function*() {
      const { client } = recorder(() => new Response(`"${"x".repeat(98)}"`))
      assert.deepInclude(yield* fetchJson(client, request, 100), { status: 200 })
    }))

  it.effect("fails if the body is not JSON", () =>
    Effect.gen(function*() {
      const { client } = recorder(() => new Response("<html>"))
      assert.strictEqual(yield* Effect.flip(fetchJson(client, request, 100)), "not_json")
    }))

  it.effect("fails if the body is truncated", () =>
    Effect.gen(function*() {
      const { client } = recorder(() => new Response(new ReadableStream({ pull: (c) => c.error(new Error("reset")) })))
      assert.strictEqual(yield* Effect.flip(fetchJson(client, request, 100)), "unreachable")
    }))
})
