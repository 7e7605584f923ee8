import type { Booking } from "@trailbook/client"
import { client } from "./client.ts"

/** Books the next start with room for so many people; `undefined` when there is none. */
export const book = async (offeringId: string, email: string, quantity: number): Promise<Booking | undefined> => {
  const { data } = await client.availability.get({ id: offeringId })
  const slot = data.find(({ remaining }) => remaining >= quantity)
  if (slot === undefined) return undefined
  return client.bookings.create({
    offering_id: offeringId,
    // A class is booked by its session, anything else by its start.
    ...(slot.session_id === undefined ? { starts_at: slot.starts_at } : { session_id: slot.session_id }),
    quantity,
    customer: { email }
  })
}
