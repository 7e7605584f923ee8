/** Starts the shop as described in its README, sells the last kayak exactly once, and lists the guests for staff. */
import { join } from "node:path"
import { assert, it } from "vitest"
import { showsPages } from "../../../test/examples/pages.ts"
import { folder, startProgram } from "../../../test/examples/program.ts"

const program = join(import.meta.dirname, "../serve.ts")

it("the shop sells its last kayak only once, and lists its guests", async () => {
  const next = startProgram(program, {
    args: [join(folder(), "shop.sqlite")],
    built: true,
    env: { STAFF_TOKEN: "oars" }
  })
  const trips = await next()
  const [kayak] = await (await fetch(trips)).json()
  assert.strictEqual(kayak.name, "Kayak for an hour")
  const times = await (await fetch(`${trips}/${kayak.id}/times`)).json()
  const { starts_at } = times.at(-1)
  const book = (people: number) =>
    fetch(`${trips}/${kayak.id}/book`, {
      method: "POST",
      body: JSON.stringify({ starts_at, people, email: "ada@example.com" })
    })
  // An invalid request is the caller's error, not a failure in the shop.
  for (const body of ["{\"people\": 1", "null", "7", "", "{}"]) {
    const rejection = await fetch(`${trips}/${kayak.id}/book`, { method: "POST", body })
    assert.strictEqual(rejection.status, 400, body)
    assert.isString((await rejection.json()).error)
  }

  const response = await book(4)
  assert.strictEqual(response.status, 201)
  const { reference } = await response.json()
  const late = await book(1)
  assert.strictEqual(late.status, 409)
  assert.isString((await late.json()).error)

  const bookings = new URL("/booking/v1/bookings", trips)
  assert.strictEqual((await fetch(bookings)).status, 401)
  const listing = await fetch(bookings, { headers: { authorization: "Bearer oars" } })
  const { data: [booking] } = await listing.json()
  assert.deepInclude(booking, { reference, source: "widget", quantity: 4 })
})

it("the shop serves booking pages that other websites can embed in a frame", async () => {
  const trips = await startProgram(program, { args: [join(folder(), "shop.sqlite")], built: true })()
  await showsPages((path, init) => fetch(new URL(path, trips), init), "Kayak for an hour")
})
