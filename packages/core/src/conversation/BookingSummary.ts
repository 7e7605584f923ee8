import * as Schema from "effect/Schema"
import { BookingView } from "../booking/BookingView.ts"

const { id, reference, status, starts_at, ends_at, quantity, session_id, offering } = BookingView.fields

/**
 * A booking in a few words, as conversations and messages have it.
 *
 * @category schemas
 */
export const BookingSummary = Schema.Struct({
  id,
  reference,
  status,
  starts_at,
  ends_at,
  quantity,
  session_id,
  offering
}).annotations({ identifier: "BookingSummary" })
export type BookingSummary = typeof BookingSummary.Type

/**
 * @category converting
 */
export const bookingSummary = (booking: BookingSummary): BookingSummary => ({
  id: booking.id,
  reference: booking.reference,
  status: booking.status,
  starts_at: booking.starts_at,
  ends_at: booking.ends_at,
  quantity: booking.quantity,
  session_id: booking.session_id,
  offering: booking.offering
})
