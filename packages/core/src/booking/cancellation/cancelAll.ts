/**
 * Decides the cancellation of these bookings by the outfitter. Paid bookings are refunded in full, guests are notified,
 * and bookings that are already canceled are skipped.
 */
import * as Either from "effect/Either"
import * as Decider from "../../Decider.ts"
import { paymentsOnCancel } from "../../payment/online/paymentsOnCancel.ts"
import { paymentTasks } from "../../payment/online/paymentTasks.ts"
import type { Payment } from "../../payment/Payment.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Booking } from "../Booking.ts"
import { bookingDecider } from "../BookingDecider.ts"
import type { BookingRecord } from "../BookingView.ts"
import { type EventsAndTasks, eventsAndTasksFor } from "../eventsAndTasks.ts"

export const cancelAll = (
  records: ReadonlyArray<BookingRecord>,
  /** The payments of these bookings. */
  payments: ReadonlyArray<Payment>,
  now: Instant,
  newId: () => string
): EventsAndTasks & {
  readonly bookings: ReadonlyArray<Booking>
  readonly payments: ReadonlyArray<Payment>
  readonly refunded: number
} => {
  const cancelled = records.flatMap((record) => {
    const cancel = { _tag: "Cancel" as const, now, calledOff: true }
    const { events, state } = Either.getOrThrow(Decider.run(bookingDecider)(record.booking, cancel))
    if (events.length === 0) return []
    const after = { ...record, booking: state }
    const own = payments.filter(({ bookingId, orgId }) => bookingId === state.id && orgId === state.orgId)
    const told = eventsAndTasksFor({ before: record.booking, after, events, now, newId })
    const changes = paymentsOnCancel(state, own, now)
    const tasks = changes.flatMap((one) => paymentTasks(one.state, one.events, { now, newId }))
    return [{ state, changes, events: told.events, tasks: [...told.tasks, ...tasks] }]
  })
  const tasks = cancelled.flatMap(({ tasks }) => tasks)
  return {
    bookings: cancelled.map(({ state }) => state),
    payments: cancelled.flatMap(({ changes }) => changes.map(({ state }) => state)),
    events: cancelled.flatMap(({ events }) => events),
    tasks,
    refunded: tasks.filter(({ kind }) => kind === "refund").length
  }
}
