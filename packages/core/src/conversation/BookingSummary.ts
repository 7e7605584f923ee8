import * as Struct from "effect/Struct"
import { BookingView } from "../booking/BookingView.ts"

const fields = ["id", "reference", "status", "starts_at", "ends_at", "quantity", "session_id", "offering"] as const

/**
 * A booking in a few words, as conversations and messages have it.
 *
 * @category schemas
 */
export const BookingSummary = BookingView.pick(...fields).annotations({ identifier: "BookingSummary" })
export type BookingSummary = typeof BookingSummary.Type

/**
 * @category converting
 */
export const bookingSummary = (booking: BookingSummary): BookingSummary => Struct.pick(booking, ...fields)
