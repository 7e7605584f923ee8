/** Tests the behavior of all pages: access, content security policy, rate limits, and errors. */
import { createHash } from "node:crypto"
import { assert, beforeAll, describe, it } from "vitest"
import { open, type World } from "./World.ts"

describe("public pages", () => {
  let world: World
  beforeAll(async () => {
    world = await open({ publicUrl: "https://book.example.com" })
    await world.call("offerings.create", { name: "Kayak <b>by the day</b>", kind: "rental" })
  })

  it("list bookable offerings, and escape their names", async () => {
    const { headers, html, status } = await world.ask("/book/salida-river-co")
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
    assert.include(html, "Kayak &lt;b>by the day&lt;/b>")
    assert.strictEqual(html.match(/<h1/g)?.length, 1)
    assert.include(html, `<link rel="canonical" href="https://book.example.com/book/salida-river-co"`)
  })

  it("include metadata for messengers and search engines", async () => {
    const { html } = await world.ask("/book/salida-river-co")
    const directives = Object.fromEntries(
      [...html.matchAll(/<meta property="(og:\w+)" content="([^"]*)"/g)].map(([, name = "", value]) => [name, value])
    )
    assert.deepStrictEqual(directives, {
      "og:type": "website",
      "og:title": "Book with Salida River Co.",
      "og:description": "Kayak &lt;b>by the day&lt;/b>",
      "og:url": "https://book.example.com/book/salida-river-co"
    })
    assert.notInclude(html, "noindex")
    const { html: unknown } = await (await open()).ask("/book/salida-river-co")
    assert.notInclude(unknown, "og:")
  })

  it("send a content security policy that allows only the required sources", async () => {
    const { headers, html } = await world.ask("/book/salida-river-co")
    const policy = headers.get("content-security-policy") ?? ""
    for (const rule of ["default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors *"]) {
      assert.include(policy, rule)
    }
    assert.notInclude(policy, "unsafe")
    for (const [, text = ""] of html.matchAll(/<style>([\s\S]*?)<\/style>/g)) {
      assert.include(policy, `'sha256-${createHash("sha256").update(text).digest("base64")}'`)
    }
    assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(headers.get("cache-control"), "private, no-cache")
    assert.strictEqual((await world.ask("/book/nobody")).headers.get("cache-control"), "no-store")
    assert.notMatch(html, /\son\w+=/)
  })

  it("apply a valid accent color, darkened for contrast", async () => {
    const { headers, html } = await world.ask("/book/salida-river-co?accent=AA3300")
    const [, theme = ""] = /<style>(:root\{--accent:#aa3300;[^<]*)<\/style>/.exec(html) ?? []
    const hash = createHash("sha256").update(theme).digest("base64")
    assert.include(headers.get("content-security-policy") ?? "", hash)
    // An accent color without enough contrast is darkened.
    assert.include((await world.ask("/book/salida-river-co?accent=ffffff")).html, "<style>:root{--accent:#6")
    for (const wrong of ["red", "aa3300}body{display:none", "%22%3E%3Cscript%3E"]) {
      assert.notInclude((await world.ask(`/book/salida-river-co?accent=${wrong}`)).html, "--accent:#aa")
    }
  })

  it("return the same not-found page for every cause", async () => {
    const pages = await Promise.all(
      ["/book/nobody", "/book/NOBODY", `/book/${"x".repeat(500)}`, "/book/a%2f..%2fb", "/nothing", "/b/"].map((path) =>
        world.ask(path)
      )
    )
    for (const { headers, html, status } of pages) {
      assert.strictEqual(status, 404)
      assert.strictEqual(html, pages[0]?.html)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
    }
    const response = await world.ask("/nothing", { headers: { accept: "*/*" } })
    assert.deepStrictEqual([response.status, JSON.parse(response.html).error.code], [404, "not_found"])
  })

  it("use the requested language", async () => {
    const language = async (path: string, accept = "") =>
      /<html lang="(\w+)"/.exec((await world.ask(path, { headers: { "accept-language": accept } })).html)?.[1]
    assert.strictEqual(await language("/book/salida-river-co"), "en")
    assert.strictEqual(await language("/book/salida-river-co", "fr, es-MX;q=0.8, en;q=0.5"), "es")
    assert.strictEqual(await language("/book/salida-river-co", "es;q=0, en"), "en")
    assert.strictEqual(await language("/book/salida-river-co?lang=es", "en"), "es")
    assert.strictEqual(await language("/book/nobody?lang=es"), "es")
  })

  it("are rate limited per client address", async () => {
    const { ask } = await open()
    const statuses = async (address: string) => {
      const all = new Set<number>()
      for (let n = 0; n < 121; n++) all.add((await ask("/book/nobody", { address })).status)
      return [...all]
    }
    assert.deepStrictEqual(await statuses("192.0.2.1"), [404, 429])
    assert.strictEqual((await ask("/book/nobody", { address: "192.0.2.2" })).status, 404)
    const { headers, html, status } = await ask("/book/nobody", { address: "192.0.2.1" })
    assert.strictEqual(status, 429)
    assert.match(headers.get("retry-after") ?? "", /^\d+$/)
    assert.include(html, "Too many requests")
    // All addresses in an IPv6 /64 share one limit.
    assert.deepStrictEqual(await statuses("2001:db8::1"), [404, 429])
    assert.strictEqual((await ask("/book/nobody", { address: "2001:db8:0:0:ffff::2" })).status, 429)
    assert.strictEqual((await ask("/book/nobody", { address: "2001:db8:0:1::1" })).status, 404)
  })

  it("are logged with the route pattern instead of the URL", async () => {
    await world.ask("/book/salida-river-co?email=ada@example.com")
    const line = JSON.parse(JSON.stringify(world.log.at(-1)))
    assert.deepInclude(line, { op: "book.offerings", route: "/book/:slug", org_id: world.org.id, status: 200 })
    assert.notProperty(line, "path")
  })

  it("work below a path prefix, and link only below it", async () => {
    const below = await open({ basePath: "/trips", publicUrl: "https://example.com/trips" })
    await below.call("offerings.create", { name: "Kayak", kind: "rental" })
    const { html, status } = await below.ask("/trips/book/salida-river-co")
    assert.strictEqual(status, 200)
    assert.isNotEmpty([...html.matchAll(/ (?:href|src|action)="\//g)])
    for (const [, address] of html.matchAll(/ (?:href|src|action)="(\/[^"]*)"/g)) {
      assert.match(address ?? "", /^\/trips\//)
    }
    assert.include(html, `href="https://example.com/trips/book/salida-river-co"`)
  })

  it("ignore the Host header", async () => {
    const { ask } = await open()
    const { html } = await ask("/book/salida-river-co", {
      headers: { host: "evil.example", "x-forwarded-host": "evil.example" }
    })
    assert.notInclude(html, "evil")
    assert.notInclude(html, "canonical")
  })
})
