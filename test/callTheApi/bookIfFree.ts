import type { Booking, BookingsCreateInput } from "@trailbook/client"
import { client } from "./client.ts"

/** The booking, or `undefined` when somebody else was quicker. */
export const bookIfFree = async (details: BookingsCreateInput): Promise<Booking | undefined> => {
  const result = await client.try.bookings.create(details)
  if (result.ok) return result.value
  if (result.error.code === "slot_full" || result.error.code === "slot_unavailable") return undefined
  throw result.error
}
