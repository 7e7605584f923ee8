import * as Struct from "effect/Struct"
import { BookingView } from "../booking/BookingView.ts"

const fields = ["id", "reference", "status", "starts_at", "ends_at", "quantity", "session_id", "offering"] as const

/** The summary of a booking in conversations and messages. */
export const BookingSummary = BookingView.pick(...fields).annotations({ identifier: "BookingSummary" })
export type BookingSummary = typeof BookingSummary.Type

export const bookingSummary = (booking: BookingSummary): BookingSummary => Struct.pick(booking, ...fields)
