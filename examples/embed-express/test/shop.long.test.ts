/** Starts the shop as described in its README, sells a trip, and serves the API next to the shop's own routes. */
import { join } from "node:path"
import { assert, it } from "vitest"
import { showsPages } from "../../../test/examples/pages.ts"
import { folder, startProgram } from "../../../test/examples/program.ts"

const program = join(import.meta.dirname, "../server.js")

const post = (body: object, headers: Record<string, string> = {}) => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers }
})

it("the shop sells trips on its own route and over the API", async () => {
  const next = startProgram(program, { args: [join(folder(), "shop.sqlite")], built: true })
  const key = (await next()).split(" ").at(-1) ?? ""
  const trips = await next()
  const [kayak] = await (await fetch(trips)).json()
  const authorization = `Bearer ${key}`
  const api = new URL("/booking/v1/", trips)
  const times = await fetch(new URL(`offerings/${kayak.id}/availability`, api), { headers: { authorization } })
  const { starts_at } = (await times.json()).data.at(-1)

  const pageResponse = await fetch(
    `${trips}/${kayak.id}/book`,
    post({ starts_at, people: 1, email: "ada@example.com" })
  )
  assert.strictEqual(pageResponse.status, 201)
  const order = { offering_id: kayak.id, starts_at, customer: { email: "grace@example.com" } }
  assert.strictEqual((await fetch(new URL("bookings", api), post(order))).status, 401)
  const apiResponse = await fetch(new URL("bookings", api), post(order, { authorization }))
  assert.strictEqual(apiResponse.status, 201)
  assert.deepInclude(await apiResponse.json(), { source: "api", status: "confirmed" })

  const nowhere = await fetch(`${trips}/${kayak.id}/book`, post({ starts_at, people: 1, email: "nobody" }))
  assert.strictEqual(nowhere.status, 400)
  assert.match((await nowhere.json()).error, /^customer\.email: /)

  const half = { ...post({}, { authorization }), body: "{" }
  const unread = await fetch(`${trips}/${kayak.id}/book`, half)
  assert.strictEqual(unread.status, 400)
  assert.isString((await unread.json()).error)
  const rejection = await fetch(new URL("bookings", api), half)
  assert.strictEqual(rejection.status, 400)
  assert.strictEqual((await rejection.json()).error.code, "invalid_request")
})

it("the shop serves booking pages that other websites can embed in a frame", async () => {
  const next = startProgram(program, { args: [join(folder(), "shop.sqlite")], built: true })
  await next()
  const trips = await next()
  await showsPages((path, init) => fetch(new URL(path, trips), init), "Kayak for an hour")
})
