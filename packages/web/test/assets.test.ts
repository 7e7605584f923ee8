import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { dashboardSheet, scripts } from "../src/assets/generated.ts"
import { assetsText } from "./assets/assetsText.ts"
import { open } from "./World.ts"

const generated = join(import.meta.dirname, "../src/assets/generated.ts")

it("the generated asset module is up to date (npm run generate -w @trailbook/web)", async () => {
  assert.strictEqual(readFileSync(generated, "utf8"), await assetsText())
})

it("a script is served as immutable only under its hashed name", async () => {
  const { ask } = await open()
  const { headers, html, status } = await ask(`/assets/${scripts.book.file}`)
  assert.strictEqual(status, 200)
  assert.strictEqual(html, scripts.book.text)
  assert.strictEqual(headers.get("cache-control"), "public, max-age=31536000, immutable")
  assert.strictEqual(headers.get("content-type"), "text/javascript; charset=utf-8")
  assert.strictEqual((await ask("/assets/book.js")).status, 404)
})

it("a request for another version's styles returns the current styles uncached", async () => {
  const { ask } = await open()
  const { headers, html, status } = await ask("/assets/dashboard-0123abcd.css")
  assert.strictEqual(status, 200)
  assert.strictEqual(html, dashboardSheet.text)
  assert.strictEqual(headers.get("cache-control"), "no-store")
})
