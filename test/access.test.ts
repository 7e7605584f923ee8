/** Sends a request for each cell in the reference's access table and compares the response with the cell. */
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { accessPage } from "./access/page.ts"
import { type Asker, askers, openTo } from "./access/pages.ts"
import { open, type World } from "./access/World.ts"
import { readPage } from "./docs/Page.ts"

const path = "docs/reference/access.md"
const markdown = readPage(path).text

/** The documented groups and their pages, so that the expectations do not come from the code under test. */
const tables = markdown.slice(markdown.indexOf("## Pages"), markdown.indexOf("## Open")).split("\n")
  .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()))

const groups = new Map(
  tables.filter(({ length }) => length === askers.length + 1).map(([name = "", ...cells]) => [name, cells])
)

const rows = tables.filter(({ length }) => length === 2).flatMap(([name = "", pages = ""]) =>
  Array.from(
    pages.matchAll(/`([A-Z, ]+) (\/[^`]*)`/g),
    ([, methods = "", path = ""]) =>
      methods.split(", ").map((method) => ({
        route: `${method} ${path}`,
        group: name,
        cells: askers.map((asker, at) => [asker, groups.get(name)?.[at]] as const)
      }))
  ).flat()
)

const resultOf = (response: { readonly status: number; readonly headers: Headers }): string => {
  const { headers, status } = response
  if (status === 401 || (status === 303 && /\/sign-in(\?|$)/.test(headers.get("location") ?? ""))) return "sign in"
  if (status === 403) return "no"
  if (status === 404 || status === 410) return "nothing"
  // An actor that may send a form gets validation errors for an empty form.
  return status < 400 || [400, 409, 422].includes(status) ? "yes" : String(status)
}

const withFiles = new Set([
  "POST /b/:handle/messages",
  "POST /dashboard/inbox/new",
  "POST /dashboard/inbox/:id",
  "POST /dashboard/offerings/:id/photos",
  "POST /dashboard/settings/images"
])

const askOf = ({ headersOf, pathOf, place }: World) =>
(
  route: string,
  asker: Asker,
  extraHeaders: Readonly<Record<string, string>> = {}
) => {
  const headers = { ...headersOf(asker), ...extraHeaders }
  // A stream never ends, so it is requested with HEAD. Forms with files are sent as multipart.
  const form = withFiles.has(route) ? new FormData() : { at: "2027-05-10T15:00:00Z" }
  const how = route === "GET /dashboard/stream"
    ? { method: "HEAD" }
    : route === "POST /book/:slug/mcp"
    ? { json: {} }
    : route.startsWith("POST ")
    ? { form }
    : {}
  return place.ask(pathOf(route, asker), { headers, ...how })
}

describe("pages", () => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world.place.close())

  it("match the reference (npm run docs writes it)", () => {
    expect(markdown).toBe(accessPage(world.place.routes))
    assert.isAbove(rows.length, 90)
  })

  it.each(rows)("$route", async ({ cells, route }) => {
    const ask = askOf(world)
    for (const [asker, cell] of cells) {
      const isDone = route.startsWith("POST ") && (cell === "yes" || cell === "own")
      const before = await world.place.tables()
      const result = resultOf(await ask(route, asker))
      // For another org's resource, an action that ends the resource responds as if the resource had already ended.
      const isOver = asker === "another org's owner" && cell === "nothing" && route.startsWith("POST ")
      if (isOver) assert.oneOf(result, ["nothing", "yes"], asker)
      else assert.strictEqual(result, cell === "own" ? "yes" : cell, asker)
      if (isDone) await world.reset()
      else assert.strictEqual(await world.place.tables(), before, asker)
    }
    if (route.startsWith("GET ")) return
    const before = await world.place.tables()
    for (const asker of ["a guest", "an owner"] as const) {
      const { status } = await ask(route, asker, { "sec-fetch-site": "cross-site", origin: "https://evil.example" })
      assert.strictEqual(status, 403, asker)
    }
    assert.strictEqual(await world.place.tables(), before)
  })

  it("become available to staff through staff_may_refund only for refunds and voids", async () => {
    const ask = askOf(world)
    await world.place.call("org.update", { staff_may_refund: true })
    const restore = await world.place.restorable()
    let refundCount = 0
    for (const { cells, group, route } of rows) {
      if (new Map(cells).get("staff") !== "no") continue
      const isRefund = group.startsWith("`refund`")
      assert.strictEqual(resultOf(await ask(route, "staff")), isRefund ? "yes" : "no", route)
      if (isRefund) refundCount++
      await restore()
    }
    assert.strictEqual(refundCount, 4)
    await world.reset()
  })

  it("that require no authentication change no data for any caller", async () => {
    const ask = askOf(world)
    for (const { method, path } of openTo(world.place.routes)) {
      // Skip routes that change data: sign-out ends the caller's session, a sign-in link works only once, and passkey
      // sign-in stores a challenge.
      if (method === "POST" && ["/sign-out", "/sign-in/:link", "/sign-in/passkey"].includes(path)) continue
      for (const asker of askers) {
        const before = await world.place.tables()
        const { status } = await ask(`${method} ${path}`, asker)
        assert.isBelow(status, 500, `${method} ${path}`)
        assert.strictEqual(await world.place.tables(), before, `${method} ${path}: ${asker}`)
      }
    }
  })
})
