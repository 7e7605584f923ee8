import type { AvailabilitySlot, Booking, Offering } from "@trailbook/client"
import { randomUUID } from "node:crypto"
import { call, connect, ToolRefusal } from "./tools.ts"

const { TRAILBOOK_KEY: key = "", TRAILBOOK_URL: url = "http://127.0.0.1:4000/mcp" } = process.env
const [email = "ada@example.com", people = "4"] = process.argv.slice(2)

const client = await connect(url, key)
const { tools } = await client.listTools()
console.log(`${tools.length} tools, such as ${tools[0]?.name}`)

const { data: offerings } = await call<{ data: ReadonlyArray<Offering> }>(client, "offerings_list", {})
const trip = offerings.find(({ active, max_per_booking }) => active && max_per_booking >= Number(people))
if (trip === undefined) throw new Error("No trip has room for this group.")

const { data: slots } = await call<{ data: ReadonlyArray<AvailabilitySlot> }>(client, "availability_get", {
  id: trip.id
})
for (const { remaining, session_id, starts_at } of slots) {
  if (remaining < Number(people)) continue
  try {
    const booking = await call<Booking>(client, "bookings_create", {
      offering_id: trip.id,
      ...(session_id === undefined ? { starts_at } : { session_id }),
      quantity: Number(people),
      customer: { email },
      // Each start time gets its own key, which stays the same no matter how often the call is retried.
      idempotency_key: randomUUID()
    })
    console.log(`${booking.status}: ${trip.name}, ${booking.starts_at}, ${booking.reference}`)
    break
  } catch (error) {
    if (!(error instanceof ToolRefusal) || error.code !== "slot_full") throw error
    // This start time has since sold out, so try the next one.
    console.log(`${starts_at} is gone`)
  }
}
await client.close()
