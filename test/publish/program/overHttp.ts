/** Books a raft trip over HTTP, starting with an empty database. */
import { createClient } from "@trailbook/client"
import { startServer } from "@trailbook/server"
import * as Effect from "effect/Effect"
import { accountsLayer, createOrg } from "trailbook/effect"

const orgCreation = createOrg({ name: "Salida River Co.", timezone: "America/Denver" })
const storage = accountsLayer({ _tag: "Sqlite", file: "served.sqlite" })
const { token } = await Effect.runPromise(Effect.provide(orgCreation, storage))

const server = await startServer({ database: { _tag: "Sqlite", file: "served.sqlite" }, port: 0 })
const client = createClient({ baseUrl: server.baseUrl, apiKey: token })
const raft = await client.offerings.create({ name: "Half-day raft trip", kind: "rental", capacity: 8 })
const { data } = await client.availability.get({ id: raft.id, quantity: 2 })
const last = data.at(-1)
if (last === undefined) throw new Error("No time is free.")
const booking = await client.bookings.create({
  offering_id: raft.id,
  starts_at: last.starts_at,
  quantity: 2,
  customer: { email: "ada@example.com", name: "Ada" }
})
process.stdout.write(`${booking.offering.name}: ${booking.status}\n`)
await server.stop()
