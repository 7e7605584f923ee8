/** Books a raft trip with an embedded engine. */
import { createTrailbook } from "trailbook"

const trailbook = await createTrailbook({
  database: process.env.TRIP_DATABASE ?? "sqlite:embedded.sqlite",
  org: { name: "Salida River Co.", timezone: "America/Denver" },
  mailer: "none"
})
const raft = await trailbook.offerings.create({ name: "Half-day raft trip", kind: "rental", capacity: 8 })
const { data } = await trailbook.availability.get({ id: raft.id, quantity: 2 })
const last = data.at(-1)
if (last === undefined) throw new Error("No time is free.")
const booking = await trailbook.bookings.create({
  offering_id: raft.id,
  starts_at: last.starts_at,
  quantity: 2,
  customer: { email: "ada@example.com", name: "Ada" }
})
process.stdout.write(`${booking.offering.name}: ${booking.status}\n`)
await trailbook.close()
