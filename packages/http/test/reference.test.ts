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

  it("may be framed by nobody", () => {
    assert.include(page.headers.get("content-security-policy"), "frame-ancestors 'none'")
  })
})
