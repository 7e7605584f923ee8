/** Tests the root pages of a server and its API, as returned to browsers and programs. */
import { assert, describe, it } from "vitest"
import { open } from "./World.ts"

const salida = { name: "Salida <b>River</b> Co.", slug: "salida-river-co" }

describe("the root page", () => {
  it("links to the only outfitter's pages and the documentation", async () => {
    const { ask } = await open({ whose: salida, publicUrl: "https://book.example.com" })
    const { headers, html, status } = await ask("/")
    assert.strictEqual(status, 200)
    assert.include(html, "Book at Salida &lt;b>River&lt;/b> Co.")
    for (
      const path of ["/book/salida-river-co", "/widget/salida-river-co", "/dashboard", "/reference", "/v1/openapi.json"]
    ) {
      assert.include(html, `href="${path}"`)
    }
    assert.include(html, "https://book.example.com/mcp")
    assert.include(html, "https://github.com/trailbook/trailbook/tree/main/docs")
    assert.include(headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
    assert.strictEqual((await ask("/book/salida-river-co")).status, 200)
  })

  it("names no outfitter if there are several or none", async () => {
    const several = await (await open({ whose: "several" })).ask("/")
    assert.notInclude(several.html, "salida")
    assert.include(several.html, "/book/…")
    assert.include((await (await open({ whose: "none" })).ask("/")).html, "trailbook org create")
  })

  it("uses the requested language", async () => {
    const { ask } = await open({ whose: "several" })
    assert.include((await ask("/", { headers: { "accept-language": "es" } })).html, "Este es un servidor de Trailbook")
  })

  it("works below a path prefix", async () => {
    const { ask } = await open({ whose: salida, basePath: "/trips" })
    assert.include((await ask("/trips/v1")).html, `href="/trips/reference"`)
  })
})

describe("the root of the API", () => {
  it("returns HTML to browsers and JSON to API clients", async () => {
    const { ask } = await open({ whose: salida })
    const { html, status } = await ask("/v1")
    assert.strictEqual(status, 200)
    assert.include(html, "Trailbook API")
    assert.include(html, `href="/reference"`)
    const program = await ask("/v1", { headers: { accept: "*/*" } })
    assert.strictEqual(program.status, 404)
    assert.strictEqual(JSON.parse(program.html).error.code, "not_found")
  })
})
