import type { Booking } from "@trailbook/client"
import { client } from "./client.ts"

/** Books the next start time with enough capacity. Returns `undefined` if there is none. */
export const book = async (offeringId: string, email: string, quantity: number): Promise<Booking | undefined> => {
  const { data } = await client.availability.get({ id: offeringId })
  const slot = data.find(({ remaining }) => remaining >= quantity)
  if (slot === undefined) return undefined
  return client.bookings.create({
    offering_id: offeringId,
    // Classes are booked by session, all other kinds by start time.
    ...(slot.session_id === undefined ? { starts_at: slot.starts_at } : { session_id: slot.session_id }),
    quantity,
    customer: { email }
  })
}
