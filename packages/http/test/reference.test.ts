import { gunzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Answer, type Service, start } from "./Service.ts"

describe("the reference page", () => {
  let service: Service
  let page: Answer
  beforeAll(async () => {
    service = await start()
    page = await service.ask("GET", "/reference", { key: null })
  })
  afterAll(() => service.close())

  it("needs no key", () => {
    assert.strictEqual(page.status, 200)
    assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
  })

  it("loads nothing: neither does it ask to, nor would it be let", () => {
    const markup = page.text.replaceAll(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, "<$1>")
    assert.notMatch(markup, /\b(src|href|action|data)\s*=/i)
    assert.notMatch(markup, /https?:\/\//)
    assert.notMatch(page.text, /@import|url\(\s*["']?https?:/)
    const policy = page.headers.get("content-security-policy") ?? ""
    assert.match(policy, /^default-src 'none';/)
    assert.notMatch(policy, /https?:|\*|unsafe-eval/)
  })

  it("shows the description that is served", async () => {
    const { json } = await service.ask("GET", "/v1/openapi.json", { key: null })
    const embedded = /<script id="swagger-spec" type="application\/json">([\s\S]*?)<\/script>/.exec(page.text)?.[1]
    assert.deepStrictEqual(JSON.parse(embedded ?? ""), json)
  })

  it("opens the operation that its address names", () => {
    assert.match(page.text, /SwaggerUIBundle\(\{[^}]*\bdeepLinking: true/)
  })

  it.each(["/reference", "/v1/openapi.json"])(
    "%s is sent small to who takes that, and not at all to who has it",
    async (path) => {
      const as = async (accepted: string, headers: Record<string, string> = {}) => {
        const request = new Request(service.url + path, { headers: { "accept-encoding": accepted, ...headers } })
        const response = await service.handler(request)
        return { response, body: new Uint8Array(await response.arrayBuffer()) }
      }
      const whole = await as("identity")
      assert.isNull(whole.response.headers.get("content-encoding"))
      for (const refused of ["", "br", "gzip;q=0", "gzip; q=0.00, br", "xgzip"]) {
        assert.strictEqual((await as(refused)).body.length, whole.body.length, refused)
      }
      for (const accepted of ["gzip", "br, gzip", "GZIP;q=0.5"]) {
        const { body, response } = await as(accepted)
        assert.strictEqual(response.headers.get("content-encoding"), "gzip", accepted)
        assert.strictEqual(response.headers.get("vary"), "accept-encoding")
        assert.isBelow(body.length, whole.body.length / 2)
        assert.deepStrictEqual(gunzipSync(body).equals(whole.body), true)
        const again = await as(accepted, { "if-none-match": response.headers.get("etag") ?? "" })
        assert.deepStrictEqual([again.response.status, again.body.length], [304, 0])
      }
    }
  )

  it("may be framed by nobody", () => {
    assert.include(page.headers.get("content-security-policy"), "frame-ancestors 'none'")
  })
})
