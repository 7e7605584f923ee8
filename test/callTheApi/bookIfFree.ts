import type { Booking, BookingsCreateInput } from "@trailbook/client"
import { client } from "./client.ts"

/** Returns the booking, or `undefined` if the start time is no longer available. */
export const bookIfFree = async (details: BookingsCreateInput): Promise<Booking | undefined> => {
  const result = await client.try.bookings.create(details)
  if (result.ok) return result.value
  if (result.error.code === "slot_full" || result.error.code === "slot_unavailable") return undefined
  throw result.error
}
