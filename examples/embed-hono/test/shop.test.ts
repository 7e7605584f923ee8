/** The shop is started as its README says, sells its last kayak once, and lets its staff see who comes. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert, it, onTestFinished } from "vitest"

const program = join(import.meta.dirname, "../serve.ts")

const started = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "trailbook-hono-"))
  const args = ["--conditions=@trailbook/source", "--import", createRequire(import.meta.url).resolve("tsx"), program]
  const child = spawn(process.execPath, [...args, join(folder, "shop.sqlite")], {
    env: { ...process.env, PORT: "0", STAFF_TOKEN: "oars" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  onTestFinished(async () => {
    child.kill()
    // Told to end, it closes its database and ends by itself.
    const [code] = await once(child, "exit")
    rmSync(folder, { recursive: true })
    assert.strictEqual(code, 0)
  })
  const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  return String(line.value)
}

it("the shop sells its last kayak once, and its staff see who comes", async () => {
  const trips = await started()
  const [kayak] = await (await fetch(trips)).json()
  assert.strictEqual(kayak.name, "Kayak for an hour")
  const times = await (await fetch(`${trips}/${kayak.id}/times`)).json()
  const { starts_at } = times.at(-1)
  const book = (people: number) =>
    fetch(`${trips}/${kayak.id}/book`, {
      method: "POST",
      body: JSON.stringify({ starts_at, people, email: "ada@example.com" })
    })
  const booked = await book(4)
  assert.strictEqual(booked.status, 201)
  const { reference } = await booked.json()
  const late = await book(1)
  assert.strictEqual(late.status, 409)
  assert.isString((await late.json()).error)

  const bookings = new URL("/booking/v1/bookings", trips)
  assert.strictEqual((await fetch(bookings)).status, 401)
  const seen = await fetch(bookings, { headers: { authorization: "Bearer oars" } })
  const { data: [booking] } = await seen.json()
  assert.deepInclude(booking, { reference, source: "widget", quantity: 4 })
})
