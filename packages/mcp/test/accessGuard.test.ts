import { assert, describe, it } from "vitest"
import * as AccessGuard from "../src/http/accessGuard.ts"

const makeRequest = (url: string, headers: Record<string, string> = {}) => new Request(url, { method: "POST", headers })

describe("the origin guard", () => {
  const local = AccessGuard.make()
  const open = AccessGuard.make("https://book.example.com")

  it.each(["http://127.0.0.1:4000/mcp", "http://localhost/mcp", "http://[::1]:4000/mcp", "http://127.9.9.9/mcp"])(
    "accepts a local host name: %s",
    (url) => {
      assert.isUndefined(local.refuse(makeRequest(url)))
      assert.isUndefined(local.refuse(makeRequest(url, { host: new URL(url).host })))
    }
  )

  it.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "192.168.1.5",
    "0.0.0.0",
    "book.example.com"
  ])(
    "rejects a host name that is not local: %s",
    (host) => {
      assert.strictEqual(local.refuse(makeRequest("http://127.0.0.1:4000/mcp", { host }))?.status, 403)
      assert.strictEqual(local.refuse(makeRequest(`http://${host}/mcp`))?.status, 403)
    }
  )

  it("accepts the public host name with any port", () => {
    for (const host of ["book.example.com", "book.example.com:443", "BOOK.example.com"]) {
      assert.isUndefined(open.refuse(makeRequest("http://127.0.0.1/mcp", { host })), host)
    }
    assert.strictEqual(open.refuse(makeRequest("https://book.example.com.evil.example/mcp"))?.status, 403)
  })

  it("rejects foreign, opaque, and empty origins", () => {
    const from = (origin: string) => open.refuse(makeRequest("https://book.example.com/mcp", { origin }))?.status
    for (const origin of ["https://evil.example", "null", "https://book.example.com.evil.example", "file://", ""]) {
      assert.strictEqual(from(origin), 403, origin)
    }
    for (const origin of ["https://book.example.com", "http://localhost:6274", "http://127.0.0.1"]) {
      assert.isUndefined(from(origin), origin)
    }
  })

  it("rejects an API key in the URL before checking the header", () => {
    const refusal = open.refuse(makeRequest("https://book.example.com/mcp?access_token=tb_live_0"))
    assert.strictEqual(refusal?.status, 400)
    assert.match(refusal?.message ?? "", /^access_token: .*only in the Authorization header\.$/)
  })

  it("names the metadata URL in its challenge", () => {
    const request = makeRequest("http://127.0.0.1:4000/mcp")
    assert.strictEqual(
      local.challenge(request),
      "Bearer resource_metadata=\"http://127.0.0.1:4000/.well-known/oauth-protected-resource/mcp\""
    )
    assert.deepInclude(open.metadata(request), {
      resource: "https://book.example.com/mcp",
      bearer_methods_supported: ["header"],
      scopes_supported: ["read", "write", "admin"]
    })
    assert.strictEqual(local.metadata(request).resource, "http://127.0.0.1:4000/mcp")
  })
})
