/**
 * Books a raft trip in the program's own transaction. The program's rule admits the booking, and its listener is
 * notified.
 */
import { Pool } from "pg"
import { createTrailbook, fromPg, postgres, refuse } from "trailbook"

const pool = new Pool({ connectionString: process.env.TRIP_DATABASE })
const trailbook = await createTrailbook({
  database: postgres({ pool, schema: "in_transaction" }),
  org: { name: "Salida River Co.", timezone: "America/Denver" },
  mailer: "none",
  before: {
    bookingCreate: async ({ quantity }, { query }) => {
      const [row] = await query("select $1::int as most", [2])
      if (quantity > Number(row?.most)) throw refuse("guide_needed", "Three or more go with a guide.")
    }
  }
})
trailbook.on("booking.confirmed", ({ data }) => process.stdout.write(`told of ${data.quantity}\n`), { from: "start" })

const raft = await trailbook.offerings.create({ name: "Half-day raft trip", kind: "rental", capacity: 8 })
const { data } = await trailbook.availability.get({ id: raft.id })
const last = data.at(-1)
if (last === undefined) throw new Error("No time is free.")
const request = { offering_id: raft.id, starts_at: last.starts_at, customer: { email: "ada@example.com" } }

const client = await pool.connect()
await client.query("begin")
const { bookings, try: attempt } = trailbook.within(fromPg(client))
const refusal = await attempt.bookings.create({ ...request, quantity: 3 })
const booking = await bookings.create({ ...request, quantity: 2 })
await client.query("commit")
client.release()
process.stdout.write(`${refusal.ok ? "not refused" : refusal.error.code}\n`)
process.stdout.write(`${booking.offering.name}: ${booking.status}\n`)

// Listeners are notified of an event once it is two seconds old.
while ((await trailbook.worker.runOnce()).subscriptions?.delivered !== 1) {
  await new Promise((resolve) => setTimeout(resolve, 100))
}
await trailbook.close()
await pool.end()
