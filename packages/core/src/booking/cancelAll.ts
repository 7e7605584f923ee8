/**
 * Cancelling what an outfitter calls off: every booking of a session, or all
 * upcoming ones of an offering. Paid ones are refunded in full, guests
 * are told, and it is safe to repeat.
 */
import * as Either from "effect/Either"
import * as Decider from "../Decider.ts"
import type { Instant } from "../time/Instant.ts"
import { announce, type Announced } from "./announce.ts"
import type { Booking } from "./Booking.ts"
import { bookingDecider } from "./BookingDecider.ts"
import type { BookingRecord } from "./BookingView.ts"

/**
 * @category deciding
 */
export const cancelAll = (
  records: ReadonlyArray<BookingRecord>,
  now: Instant,
  newId: () => string
): Announced & { readonly bookings: ReadonlyArray<Booking>; readonly refunded: number } => {
  const cancelled = records.flatMap((record) => {
    const cancel = { _tag: "Cancel" as const, now, calledOff: true }
    const { events, state } = Either.getOrThrow(Decider.run(bookingDecider)(record.booking, cancel))
    const after = { ...record, booking: state }
    return events.length === 0
      ? []
      : [{ state, ...announce({ before: record.booking, after, events, now, newId }) }]
  })
  const tasks = cancelled.flatMap(({ tasks }) => tasks)
  return {
    bookings: cancelled.map(({ state }) => state),
    events: cancelled.flatMap(({ events }) => events),
    tasks,
    refunded: tasks.filter(({ kind }) => kind === "refund").length
  }
}
