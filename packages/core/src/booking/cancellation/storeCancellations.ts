import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Decider from "../../Decider.ts"
import { makePutPayments } from "../../payment/ledger/toOnlineEntries.ts"
import { decidePaymentsOnCancel, makePaymentTasks } from "../../payment/online/paymentChanges.ts"
import { makeLockPayments } from "../../payment/online/updateBookingAndPayments.ts"
import type { Payment } from "../../payment/Payment.ts"
import type { NewEvent } from "../../port/EventLog.ts"
import { Ids } from "../../port/Ids.ts"
import { type Session, sessionDecider, SessionStore } from "../../session/Session.ts"
import { makeSessionEvent } from "../../session/Sessions.ts"
import type { CancellationMailKind } from "../../task/Task.ts"
import { TaskStore } from "../../task/Tasks.ts"
import type { Instant } from "../../time/Instant.ts"
import { applyPayments } from "../balance.ts"
import type { Booking } from "../Booking.ts"
import { bookingDecider } from "../BookingDecider.ts"
import { BookingStore } from "../BookingStore.ts"
import type { BookingRecord } from "../BookingView.ts"
import { buildEventsAndTasks, type EventsAndTasks } from "../eventsAndTasks.ts"

/** Cancels and stores locked sessions and bookings. Returns the events, which the caller must append in this order. */
export const makeStoreCancellations = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const ids = yield* Ids
  const taskStore = yield* TaskStore
  const lockPayments = yield* makeLockPayments
  const putPayments = yield* makePutPayments
  const sessions = yield* SessionStore

  return (
    canceledSessions: ReadonlyArray<Session>,
    records: ReadonlyArray<BookingRecord>,
    now: Instant,
    mail?: CancellationMailKind | null
  ) =>
    Effect.gen(function*() {
      const events: Array<NewEvent> = []
      const changedSessions: Array<Session> = []
      for (const session of canceledSessions) {
        const { events: sessionEvents, state } = Either.getOrThrow(
          Decider.run(sessionDecider)(session, { _tag: "Cancel" })
        )
        events.push(...sessionEvents.map(({ _tag }) => makeSessionEvent(state, _tag, now)))
        if (sessionEvents.length > 0) changedSessions.push(state)
      }
      const result = cancelAllBookings(records, yield* lockPayments(records), now, ids.uuid, mail)
      if (changedSessions.length > 0) yield* sessions.put(changedSessions)
      if (result.bookings.length > 0) yield* bookings.update(result.bookings)
      yield* putPayments(result.payments)
      if (result.tasks.length > 0) yield* taskStore.add(result.tasks)
      return {
        events: [...events, ...result.events],
        cancelled: result.bookings.length,
        refunded: result.refunded
      }
    })
})

/**
 * Decides the cancellation of these bookings on the outfitter's behalf. Paid bookings are refunded in full, and guests
 * are notified unless `mail` is null. Bookings that are already canceled are skipped.
 */
export const cancelAllBookings = (
  records: ReadonlyArray<BookingRecord>,
  /** The payments for these bookings. */
  payments: ReadonlyArray<Payment>,
  now: Instant,
  newId: () => string,
  mail: CancellationMailKind | null = "mail.cancelled"
): EventsAndTasks & {
  readonly bookings: ReadonlyArray<Booking>
  readonly payments: ReadonlyArray<Payment>
  readonly refunded: number
} => {
  const results = records.flatMap((record) => {
    const cancel = { _tag: "Cancel" as const, now, refund: "all" as const }
    const { events, state } = Either.getOrThrow(Decider.run(bookingDecider)(record.booking, cancel))
    if (events.length === 0) return []
    const ownPayments = payments.filter(({ bookingId, orgId }) => bookingId === state.id && orgId === state.orgId)
    const changes = decidePaymentsOnCancel(events, ownPayments, now)
    const booking = applyPayments(state, ownPayments, changes.map(({ state }) => state))
    const effects = buildEventsAndTasks({
      before: record.booking,
      after: { ...record, booking },
      events,
      now,
      newId,
      isMailed: mail !== null,
      cancelMail: mail ?? undefined
    })
    const tasks = changes.flatMap((one) => makePaymentTasks(one.state, one.events, { now, newId }))
    return [{ booking, changes, events: effects.events, tasks: [...effects.tasks, ...tasks] }]
  })
  const tasks = results.flatMap(({ tasks }) => tasks)
  return {
    bookings: results.map(({ booking }) => booking),
    payments: results.flatMap(({ changes }) => changes.map(({ state }) => state)),
    events: results.flatMap(({ events }) => events),
    tasks,
    refunded: tasks.filter(({ kind }) => kind === "refund").length
  }
}
