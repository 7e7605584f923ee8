import { createTrailbook } from "trailbook"

const trailbook = await createTrailbook({
  database: "sqlite:bookings.sqlite",
  org: { name: "Salida River Co.", timezone: "America/Denver" }
})
const kayak = await trailbook.offerings.create({ name: "Kayak for an hour", kind: "rental", capacity: 4 })
const { data: times } = await trailbook.availability.get({ id: kayak.id })
const last = times.at(-1)
if (last === undefined) throw new Error("No time is free.")
const booking = await trailbook.bookings.create({
  offering_id: kayak.id,
  starts_at: last.starts_at,
  customer: { email: "ada@example.com" }
})
console.log(booking.status)
await trailbook.close()
