import { type Booking, type BookingsCreateInput, TrailbookError } from "@trailbook/client"
import { client } from "./client.ts"

interface Order {
  /** Created when the guest pressed the button, and stored with the order. */
  readonly id: string
  readonly details: BookingsCreateInput
}

/** Safe to call repeatedly, also from another process: the order is booked once. `undefined` means "retry later". */
export const fulfil = async ({ id, details }: Order): Promise<Booking | undefined> => {
  try {
    return await client.bookings.create({ ...details, idempotency_key: id })
  } catch (error) {
    if (error instanceof TrailbookError && error.retryable) return undefined
    throw error
  }
}
