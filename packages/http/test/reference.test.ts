import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import { gunzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "vitest"
import { precompressText } from "../src/response/precompressText.ts"
import { type Answer, type Service, start } from "./Service.ts"

describe("the reference page", () => {
  let service: Service
  let page: Answer
  let script: Answer
  let style: Answer
  const part = (attribute: "href" | "src") => {
    const [, address = ""] = new RegExp(`${attribute}="([^"]*)"`).exec(page.text) ?? []
    return service.ask("GET", `/${address}`, { key: null })
  }
  beforeAll(async () => {
    service = await start()
    page = await service.ask("GET", "/reference", { key: null })
    script = await part("src")
    style = await part("href")
  })
  afterAll(() => service.close())

  it("requires no key", () => {
    assert.strictEqual(page.status, 200)
    assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
  })

  it("loads only its own script and style", () => {
    assert.deepStrictEqual(
      Array.from(page.text.matchAll(/\b(?:src|href|action|data)\s*=\s*"([^?"]*)/gi), ([, address]) => address),
      ["reference/ui.css", "reference/ui.js"]
    )
    assert.notMatch(page.text, /https?:\/\//)
    assert.notMatch(style.text, /@import|url\(\s*["']?https?:/)
    assert.match(script.text, /validatorUrl: null/)
    const policy = page.headers.get("content-security-policy") ?? ""
    assert.match(policy, /^default-src 'none';/)
    assert.notMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/)
  })

  it("renders the server's OpenAPI document", () => {
    assert.match(script.text, /SwaggerUIBundle\(\{\s*url: "v1\/openapi.json"/)
  })

  it("opens the operation named in its URL", () => {
    assert.match(script.text, /SwaggerUIBundle\(\{[^}]*\bdeepLinking: true/)
  })

  it("is small, and lets browsers cache its script and style", () => {
    assert.isBelow(page.text.length, 2000)
    for (const asset of [script, style]) {
      assert.strictEqual(asset.status, 200)
      assert.strictEqual(asset.headers.get("cache-control"), "public, max-age=31536000, immutable")
    }
    assert.match(page.text, /ui\.css\?v=[0-9a-f]{12}"[\s\S]*ui\.js\?v=[0-9a-f]{12}"/)
  })

  it.each(["identity", "gzip"])("caches its %s encoding", async (encoding) => {
    const answer = await precompressText("text ".repeat(1000), { "content-type": "text/plain" })
    const pieceOf = () => {
      const { body } = answer(new Request(service.url, { headers: { "accept-encoding": encoding } }))
      return typeof body === "object" && body !== null ? body.next() : assert.fail("The body is text.")
    }
    assert.strictEqual(await pieceOf(), await pieceOf())
  })

  it("is served at most 120 times a minute per address", async () => {
    const clock = await Effect.runPromise(SettableClock.make(Instant.make(Date.UTC(2027, 4, 1))))
    const { close, handler, url } = await start({ clock })
    onTestFinished(close)
    const statusOf = async (path: string, remoteAddress: string) => {
      const { body, headers, status } = await handler(new Request(url + path), { remoteAddress })
      await body?.cancel()
      return [status, headers.get("retry-after")]
    }
    const paths = ["/reference", "/reference/ui.js", "/reference/ui.css", "/v1/openapi.json"]
    for (let at = 0; at < 120; at++) {
      assert.deepStrictEqual(await statusOf(paths[at % 4] ?? "", "192.0.2.1"), [200, null])
    }
    for (const path of paths) assert.deepStrictEqual(await statusOf(path, "192.0.2.1"), [429, "1"])
    assert.deepStrictEqual(await statusOf("/reference", "192.0.2.2"), [200, null])
  })

  it.each(["/reference/ui.js", "/v1/openapi.json"])(
    "lets browsers load %s compressed and cache it",
    async (path) => {
      const as = async (encoding: string, headers: Record<string, string> = {}) => {
        const request = new Request(service.url + path, { headers: { "accept-encoding": encoding, ...headers } })
        const response = await service.handler(request)
        return { response, body: new Uint8Array(await response.arrayBuffer()) }
      }
      const whole = await as("identity")
      assert.isNull(whole.response.headers.get("content-encoding"))
      for (const encoding of ["", "br", "gzip;q=0", "gzip; q=0.00, br", "xgzip"]) {
        assert.strictEqual((await as(encoding)).body.length, whole.body.length, encoding)
      }
      for (const encoding of ["gzip", "br, gzip", "GZIP;q=0.5"]) {
        const { body, response } = await as(encoding)
        assert.strictEqual(response.headers.get("content-encoding"), "gzip", encoding)
        assert.strictEqual(response.headers.get("vary"), "accept-encoding")
        assert.isBelow(body.length, whole.body.length / 2)
        assert.deepStrictEqual(gunzipSync(body).equals(whole.body), true)
        const again = await as(encoding, { "if-none-match": response.headers.get("etag") ?? "" })
        assert.deepStrictEqual([again.response.status, again.body.length], [304, 0])
      }
    }
  )

  it("forbids framing", () => {
    assert.include(page.headers.get("content-security-policy"), "frame-ancestors 'none'")
  })
})
