import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Service, start } from "./Service.ts"

describe("response headers", () => {
  let service: Service
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.close())

  const everywhere = [
    ["GET", "/v1/org"],
    ["POST", "/v1/offerings"],
    ["GET", "/v1/nothing"],
    ["PUT", "/v1/org"],
    ["OPTIONS", "/v1/org"],
    ["GET", "/livez"],
    ["GET", "/readyz"],
    ["GET", "/v1/openapi.json"],
    ["GET", "/reference"]
  ] as const

  it("contain the caller's request ID, or a new one", async () => {
    const requestIds = new Set<string | null>()
    for (const [method, path] of everywhere) {
      for (const key of [service.key, null]) {
        const response = await service.ask(method, path, { key, headers: { "x-request-id": "from-a.caller:1/2" } })
        assert.strictEqual(response.headers.get("x-request-id"), "from-a.caller:1/2")
        requestIds.add((await service.ask(method, path, { key })).headers.get("x-request-id"))
      }
    }
    assert.strictEqual(requestIds.size, 2 * everywhere.length)
    for (const id of requestIds) assert.match(id ?? "", /^[\w-]{8,128}$/)
  })

  it.each(["", "a b", "a\tb", "é", "<script>", "\"", "a".repeat(129), "%0a", "a,b"])(
    "do not contain the unsafe request ID '%s'",
    async (id) => {
      const answer = await service.ask("GET", "/livez", { headers: { "x-request-id": id } })
      assert.notStrictEqual(answer.headers.get("x-request-id"), id)
    }
  )

  it("forbid caching and content sniffing for the API", async () => {
    for (const [method, path] of everywhere) {
      const { headers } = await service.ask(method, path)
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      if (!path.includes("openapi") && path !== "/reference") {
        assert.strictEqual(headers.get("cache-control"), "no-store")
      }
    }
  })

  it("declare JSON and the length of the body", async () => {
    const { headers, text } = await service.ask("GET", "/v1/org")
    assert.strictEqual(headers.get("content-type"), "application/json")
    assert.strictEqual(headers.get("content-length"), String(Buffer.byteLength(text)))
  })
})
