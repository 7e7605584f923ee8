import { accountsLayer, createOrg, type DatabaseUrl } from "@trailbook/runtime"
import { startServer } from "@trailbook/server"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { folder, request } from "../../cli/test/program.ts"

it("the server prefixes links in saved replies with its public address", async () => {
  const database: DatabaseUrl = { _tag: "Sqlite", file: join(folder(), "a.sqlite") }
  const server = await startServer({ database, port: 0, worker: "off", publicUrl: "https://book.pine.example" })
  onTestFinished(server.stop)
  const { token } = await Effect.runPromise(
    Effect.provide(createOrg({ name: "Pine", timezone: "America/Denver" }), accountsLayer(database))
  )
  const post = async (path: string, body: object) =>
    (await request(`${server.baseUrl}${path}`, token, { method: "POST", body: JSON.stringify(body) })).body
  const { id: offering_id } = await post("/offerings", { name: "Kayak", kind: "rental" })
  const { body: free } = await request(`${server.baseUrl}/offerings/${String(offering_id)}/availability`, token)
  const starts_at = free.data?.at(-1)?.starts_at
  const booking = await post("/bookings", { offering_id, starts_at, customer: { email: "mara@example.com" } })
  await post("/saved_replies", { title: "Link", body: "All about it: {booking_link}" })
  const { body } = await request(`${server.baseUrl}/saved_replies?booking_id=${String(booking.id)}`, token)
  expect(body.data).toMatchObject([{ text: `All about it: https://book.pine.example/b/${String(booking.handle)}` }])
})
