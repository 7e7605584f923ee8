/** The shop is started as its README says; it sells a trip, and serves the API behind its body parser. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert, it, onTestFinished } from "vitest"

const program = join(import.meta.dirname, "../server.js")

const started = async (): Promise<{ readonly trips: string; readonly key: string }> => {
  const folder = mkdtempSync(join(tmpdir(), "trailbook-express-"))
  const args = ["--conditions=@trailbook/source", "--import", createRequire(import.meta.url).resolve("tsx"), program]
  const child = spawn(process.execPath, [...args, join(folder, "shop.sqlite")], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  onTestFinished(async () => {
    child.kill()
    const [code] = await once(child, "exit")
    rmSync(folder, { recursive: true })
    assert.strictEqual(code, 0)
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const key = String((await lines.next()).value).split(" ").at(-1) ?? ""
  return { key, trips: String((await lines.next()).value) }
}

const post = (body: object, headers: Record<string, string> = {}) => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers }
})

it("the shop sells a trip, and callers of its API book behind its body parser", async () => {
  const { key, trips } = await started()
  const [kayak] = await (await fetch(trips)).json()
  const authorization = `Bearer ${key}`
  const api = new URL("/booking/v1/", trips)
  const times = await fetch(new URL(`offerings/${kayak.id}/availability`, api), { headers: { authorization } })
  const { starts_at } = (await times.json()).data.at(-1)

  const sold = await fetch(`${trips}/${kayak.id}/book`, post({ starts_at, people: 1, email: "ada@example.com" }))
  assert.strictEqual(sold.status, 201)
  const wish = { offering_id: kayak.id, starts_at, customer: { email: "grace@example.com" } }
  assert.strictEqual((await fetch(new URL("bookings", api), post(wish))).status, 401)
  const booked = await fetch(new URL("bookings", api), post(wish, { authorization }))
  assert.strictEqual(booked.status, 201)
  assert.deepInclude(await booked.json(), { source: "api", status: "confirmed" })

  const nowhere = await fetch(`${trips}/${kayak.id}/book`, post({ starts_at, people: 1, email: "nobody" }))
  assert.strictEqual(nowhere.status, 400)
  assert.match((await nowhere.json()).error, /^customer\.email: /)
})
