import { TrailbookError } from "@trailbook/client"
import { getEventListeners } from "node:events"
import { assert, describe, expect, it } from "vitest"
import { createClientWithDependencies, sleep } from "../src/createClient.ts"
import { follow } from "./Script.ts"

const reason = new Error("never mind")

describe("a call's timeout", () => {
  it("applies to each attempt separately", async () => {
    const { client, sent } = follow(["silent", { status: 200, body: { name: "Salida" } }], { timeoutMs: 20 })
    assert.strictEqual((await client.org.get()).name, "Salida")
    assert.lengthOf(sent, 2)
  })

  it("throws a TrailbookError with the code \"timeout\"", async () => {
    const { client } = follow(["silent"], { retries: 0 })
    const error: unknown = await client.org.get({}, { timeoutMs: 20 }).catch((error: unknown) => error)
    assert.instanceOf(error, TrailbookError)
    assert.strictEqual(error.code, "timeout")
  })

  it("includes the time to read the response body", async () => {
    const stalled = (_: string, { signal }: RequestInit) =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            start: (controller) => {
              controller.enqueue(new TextEncoder().encode("{\"na"))
              signal?.addEventListener("abort", () => controller.error(signal.reason))
            }
          })
        )
      )
    const client = createClientWithDependencies(
      { baseUrl: "https://book.example.com/v1", apiKey: "k", fetch: stalled, retries: 0, timeoutMs: 20 },
      { pause: sleep, random: () => 0 }
    )
    const result = await client.try.org.get()
    assert.strictEqual(result.ok || result.error.code, "timeout")
  })
})

describe("an aborted call rejects with the signal's reason", () => {
  it("before it sends a request", async () => {
    const { client, sent } = follow([{ status: 200 }])
    await expect(client.org.get({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    assert.lengthOf(sent, 0)
  })

  it("while it waits for a response", async () => {
    const { client, sent } = follow(["silent"])
    const controller = new AbortController()
    const call = client.org.get({}, { signal: controller.signal })
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    assert.lengthOf(sent, 1)
  })

  it("even if it creates a resource", async () => {
    const { client } = follow(["silent"])
    const controller = new AbortController()
    const call = client.offerings.create({ name: "Raft", kind: "class" }, { signal: controller.signal })
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
  })

  it("between two attempts", async () => {
    const controller = new AbortController()
    let requestCount = 0
    const fetch = () => {
      requestCount += 1
      // The next backoff would take a minute.
      setTimeout(() => controller.abort(reason), 10)
      return Promise.reject(new TypeError("fetch failed"))
    }
    const client = createClientWithDependencies({ baseUrl: "https://book.example.com/v1", apiKey: "k", fetch }, {
      pause: (_, signal) => sleep(60_000, signal),
      random: () => 0
    })
    await expect(client.org.get({}, { signal: controller.signal })).rejects.toBe(reason)
    assert.strictEqual(requestCount, 1)
  })

  it("before the backoff starts", async () => {
    await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})

it("the client removes its listener from an abort signal that outlives the call", async () => {
  const { signal } = new AbortController()
  const { client } = follow(["lost", { status: 200 }])
  await client.org.get({}, { signal })
  await sleep(1, signal)
  assert.lengthOf(getEventListeners(signal, "abort"), 0)
})
