/** Calls the route handlers as Next does. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TrailbookError } from "trailbook"
import { afterAll, assert, it, onTestFinished, vi } from "vitest"
import { showsPages } from "../../../test/examples/pages.ts"

const folder = mkdtempSync(join(tmpdir(), "trailbook-next-"))
// The module reads this variable when it is loaded, which Next does on the first request.
process.env.BOOKINGS_DATABASE = `sqlite:${join(folder, "shop.sqlite")}`
const { outfitter } = await import("../lib/outfitter.ts")
const trips = await import("../app/trips/route.ts")
const booking = await import("../app/booking/[...path]/route.ts")
const { register } = await import("../instrumentation.ts")

afterAll(async () => {
  await outfitter.close()
  rmSync(folder, { recursive: true })
})

const post = (path: string, body: object) =>
  new Request(`http://localhost:3000${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" }
  })

it("the routes sell the last kayak only once, and the API lists guests", async () => {
  const { id: offering_id } = await outfitter.offerings.create({ name: "Kayak", kind: "rental", capacity: 1 })
  assert.deepEqual(await (await trips.GET()).json(), [{ id: offering_id, name: "Kayak" }])
  const { data } = await outfitter.availability.get({ id: offering_id })
  const order = { offering_id, starts_at: data.at(-1)?.starts_at, people: 1, email: "ada@example.com" }
  const response = await trips.POST(post("/trips", order))
  assert.strictEqual(response.status, 201)
  assert.strictEqual((await trips.POST(post("/trips", order))).status, 409)

  const { api_key } = await outfitter.keys.create({ name: "Boathouse", scopes: ["read"] })
  const ask = (headers: Record<string, string>) =>
    booking.GET(new Request("http://localhost:3000/booking/v1/bookings", { headers }))
  assert.strictEqual((await ask({})).status, 401)
  const list = await (await ask({ authorization: `Bearer ${api_key}` })).json()
  assert.strictEqual(list.data[0].reference, (await response.json()).reference)
})

it("the routes serve booking pages that other websites can embed in a frame", async () => {
  await showsPages((path, init) => {
    const request = new Request(`http://localhost:3000${path}`, init)
    return request.method === "POST" ? booking.POST(request) : booking.GET(request)
  }, "Kayak")
})

it("register starts the worker only in Next's Node runtime", async () => {
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })
  const start = vi.spyOn(outfitter.worker, "start")
  vi.stubEnv("NEXT_RUNTIME", "edge")
  await register()
  assert.lengthOf(start.mock.calls, 0)
  vi.stubEnv("NEXT_RUNTIME", "nodejs")
  await register()
  await Promise.all(start.mock.results.map(({ value }) => value))
  assert.lengthOf(start.mock.calls, 1)
})

it("register starts the worker once the database is available", async () => {
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
    vi.useRealTimers()
  })
  vi.useFakeTimers({ toFake: ["setTimeout"] })
  vi.stubEnv("NEXT_RUNTIME", "nodejs")
  const errorLog = vi.spyOn(console, "error").mockImplementation(() => {})
  const away = new TrailbookError({
    code: "unavailable",
    status: 503,
    message: "The database is away.",
    retryable: true
  })
  const start = vi.spyOn(outfitter.worker, "start").mockRejectedValueOnce(away)
  await register()
  await vi.waitFor(() => assert.deepEqual(errorLog.mock.calls, [[away]]), 60_000)
  await vi.advanceTimersByTimeAsync(5000)
  assert.lengthOf(start.mock.calls, 2)
  assert.lengthOf(errorLog.mock.calls, 1)
})
