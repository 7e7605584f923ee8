/** The test payment provider marks bookings as paid without money, so a real server must not be able to use it. */
import { accountsLayer, createOrg, type DatabaseUrl } from "@trailbook/runtime"
import { startServer } from "@trailbook/server"
import { settings } from "@trailbook/server/setting/settings"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { assert, describe, it, onTestFinished } from "vitest"
import { folder, request } from "../../../cli/test/program.ts"

const packages = join(import.meta.dirname, "../../..")

const sources = readdirSync(packages).flatMap((name) => {
  const src = join(packages, name, "src")
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}).map((path) => ({ path: relative(packages, path), text: readFileSync(path, "utf8") }))

const selling = new Set<string>(["serve", "worker", "mcp"])

const whereSaid = (pattern: RegExp, besides: RegExp): ReadonlyArray<string> =>
  sources.filter(({ path, text }) => pattern.test(text) && !besides.test(path)).map(({ path }) => path)

describe("the test checkout", () => {
  it("is added to a server only by the demo command", () => {
    assert.deepStrictEqual(whereSaid(/"[^"]*\/testPayments\/[^"]*"/, /^demo\/src\//), [])
    assert.deepStrictEqual(whereSaid(/"@trailbook\/demo\b/, /^demo\/src\//), ["cli/src/command/demo.ts"])
    assert.deepStrictEqual(whereSaid(/\bownRoutes\b/, /^$/), ["demo/src/prepareDemo.ts", "server/src/runServer.ts"])
    assert.deepStrictEqual(whereSaid(/command\/demo\.ts"/, /loaders\.ts$/), [])
  })

  it("cannot be enabled by any setting", () => {
    const names = Object.values(settings).filter(({ commands }) => commands.some((name) => selling.has(name)))
      .flatMap(({ env, flag }) => [flag, ...env])
    assert.isAbove(names.length, 40)
    assert.deepStrictEqual(names.filter((name) => /till|demo|fake|pretend/i.test(name)), [])
  })

  it("is absent from a regular server", async () => {
    const database: DatabaseUrl = { _tag: "Sqlite", file: join(folder(), "a.sqlite") }
    const server = await startServer({ database, port: 0 })
    onTestFinished(server.stop)
    const { token } = await Effect.runPromise(
      Effect.provide(createOrg({ name: "Salida", timezone: "America/Denver", plan: "pro" }), accountsLayer(database))
    )
    for (const method of ["GET", "POST"]) {
      const { status } = await fetch(`${server.origin}/till/till_01a1ff59-eadc-774b-a358-c18ae5cf811f`, { method })
      assert.strictEqual(status, 404)
    }
    const post = (path: string, body: object) =>
      request(`${server.baseUrl}${path}`, token, { method: "POST", body: JSON.stringify(body) })
    const { body: kayak } = await post("/offerings", { name: "Kayak", kind: "rental", price_cents: 4500 })
    const { body: free } = await request(`${server.baseUrl}/offerings/${String(kayak.id)}/availability`, token)
    const { body: booking } = await post("/bookings", {
      offering_id: kayak.id,
      starts_at: free.data?.at(-1)?.starts_at,
      customer: { email: "ada@example.com" }
    })
    assert.include(booking, { status: "confirmed", checkout_url: null })
  })
})
