import { createClient } from "@trailbook/client"
import { assert, describe, it } from "vitest"
import { follow } from "./Script.ts"

const id = "0197c0de-0000-7000-8000-000000000000"
const ok = { status: 200, body: {} }

describe("a call", () => {
  it("sends its fields in the URL if it reads data", async () => {
    const { client, sent } = follow([ok])
    await client.availability.get({ id, from: "2027-05-01", to: undefined, quantity: 2 })
    assert.strictEqual(
      sent[0]?.url,
      `https://book.example.com/v1/offerings/${id}/availability?from=2027-05-01&quantity=2`
    )
    assert.strictEqual(sent[0]?.init.method, "GET")
    assert.isNull(sent[0]?.init.body)
  })

  it("escapes special characters in the query string", async () => {
    const { client, sent } = follow([ok])
    await client.customers.list({ q: "ada & bob=100%+" })
    assert.strictEqual(new URL(sent[0]?.url ?? "").searchParams.get("q"), "ada & bob=100%+")
  })

  it("sends its fields in a JSON body if it writes data", async () => {
    const { client, sent } = follow([ok])
    await client.offerings.update({ id, name: "Kayak", description: undefined })
    assert.strictEqual(sent[0]?.url, `https://book.example.com/v1/offerings/${id}`)
    assert.deepStrictEqual(sent[0]?.body, { name: "Kayak" })
    assert.strictEqual(new Headers(sent[0]?.init.headers).get("content-type"), "application/json")
  })

  it.each(["", "..", ".", "a/b", "a?b"])(
    "refuses an ID that would change the path: %j",
    async (id) => {
      const { client, sent } = follow([ok])
      const result = await client.try.offerings.delete({ id })
      assert.isFalse(result.ok)
      assert.strictEqual(result.ok || result.error.code, "invalid_request")
      assert.lengthOf(sent, 0)
    }
  )
})

it("the client sends the API key with every request, and follows no redirects", async () => {
  const { client, sent } = follow([ok])
  await client.org.get()
  const headers = new Headers(sent[0]?.init.headers)
  assert.strictEqual(headers.get("authorization"), "Bearer tb_test_key")
  assert.strictEqual(sent[0]?.init.redirect, "manual")
  assert.strictEqual(sent[0]?.init.cache, "no-store")
})

it("the client rethrows a framework's error from fetch without a retry", async () => {
  const interruption = Object.assign(new Error("Dynamic server usage"), { digest: "DYNAMIC_SERVER_USAGE" })
  let calls = 0
  const client = createClient({
    baseUrl: "https://book.example.com/v1",
    apiKey: "tb_test_key",
    fetch: () => {
      calls += 1
      throw interruption
    }
  })
  const thrownError = await client.org.get().catch((error: unknown) => error)
  assert.strictEqual(thrownError, interruption)
  assert.strictEqual(await client.try.org.get().catch((error: unknown) => error), interruption)
  assert.strictEqual(calls, 2)
})

it("the client accepts a base URL with a trailing slash", async () => {
  const urls: Array<string> = []
  const fetch = (url: string) => {
    urls.push(url)
    return Promise.resolve(Response.json({}))
  }
  const apiKey = "tb_test_key"
  await createClient({ baseUrl: "http://127.0.0.1:4000/v1/", apiKey, fetch }).org.get()
  await createClient({ baseUrl: new URL("http://127.0.0.1:4000/v1"), apiKey, fetch }).org.get()
  assert.deepStrictEqual(urls, ["http://127.0.0.1:4000/v1/org", "http://127.0.0.1:4000/v1/org"])
})

const noKeys: ReadonlyArray<unknown> = ["", "\n", "tb_live_x\r\nx-evil: 1", undefined, null]
it.each(noKeys)("the client throws a TypeError for the invalid API key %j", (apiKey) => {
  const options = { baseUrl: "https://book.example.com/v1", apiKey: apiKey as string }
  assert.throws(() => createClient(options), TypeError, "apiKey")
})

it("the client throws a TypeError if the base URL is not absolute", () => {
  assert.throws(() => createClient({ baseUrl: "/v1", apiKey: "tb_test_key" }), TypeError, "baseUrl")
})

it("the client looks up the global fetch function at call time by default", async () => {
  const client = createClient({ baseUrl: "https://book.example.com/v1", apiKey: "tb_test_key" })
  const before = globalThis.fetch
  globalThis.fetch = () => Promise.resolve(Response.json({ name: "Salida" }))
  try {
    assert.strictEqual((await client.org.get()).name, "Salida")
  } finally {
    globalThis.fetch = before
  }
})
