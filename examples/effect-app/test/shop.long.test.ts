/** Starts the program as described in its README, sells the last kayak exactly once, and lists the guests for staff. */
import { once } from "node:events"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { assert, it } from "vitest"
import { folder, spawnProgram, startProgram } from "../../../test/examples/program.ts"

const program = join(import.meta.dirname, "../serve.ts")
const env = { STAFF_TOKEN: "oars", PUBLIC_URL: "https://trips.example.com" }

it("the shop sells its last kayak only once, and emails the guest", async () => {
  const cwd = folder()
  const assertClosed = () => assert.isFalse(existsSync(join(cwd, "trips.sqlite-wal")))
  const trips = await startProgram(program, { cwd, env, ended: assertClosed })()
  const [kayak] = await (await fetch(trips)).json()
  assert.strictEqual(kayak.name, "Kayak for an hour")
  const times = await (await fetch(`${trips}/${kayak.id}/times`)).json()
  const { starts_at: startsAt } = times.at(-1)
  const book = (people: number, key: string = crypto.randomUUID()) =>
    fetch(`${trips}/${kayak.id}/book`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ startsAt, people, email: "ada@example.com", key })
    })
  const key = crypto.randomUUID()
  const [first, again] = await Promise.all([book(4, key), book(4, key)])
  assert.strictEqual(first.status, 201)
  const { reference, status } = await first.json()
  assert.strictEqual(status, "confirmed")
  assert.deepEqual(await again.json(), { reference, status })
  const late = await book(1)
  assert.strictEqual(late.status, 409)
  assert.match((await late.json()).error, /fully booked/)
  assert.strictEqual((await fetch(`${trips}/${crypto.randomUUID()}/times`)).status, 404)
  assert.strictEqual((await book(4, "no key")).status, 400)

  const bookings = new URL("/booking/v1/bookings", trips)
  assert.strictEqual((await fetch(bookings)).status, 401)
  const listing = await fetch(bookings, { headers: { authorization: "Bearer oars" } })
  const { data } = await listing.json()
  assert.lengthOf(data, 1)
  assert.deepInclude(data[0], { reference, source: "widget", quantity: 4 })
  assert.strictEqual((await fetch(new URL("/booking/readyz", trips))).status, 200)

  const outbox = join(cwd, "outbox")
  while (!existsSync(outbox) || !readdirSync(outbox).some((name) => name.endsWith(".eml"))) await wait(20)
})

it("the shop refuses to start with an invalid setting, and names it", async () => {
  const wrong = { ...env, DATABASE: "mysql://shop", PUBLIC_URL: "nowhere" }
  const child = spawnProgram(program, { cwd: folder(), env: wrong })
  let output = ""
  child.stdout.on("data", (text: Buffer) => output += text.toString())
  const [code] = await once(child, "close")
  assert.strictEqual(code, 1)
  assert.match(output, /database: must be sqlite:/)
})
