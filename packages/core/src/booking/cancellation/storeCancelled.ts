import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Decider from "../../Decider.ts"
import { makePutPayments } from "../../payment/ledger/onlineEntries.ts"
import { makeLockPayments } from "../../payment/online/lockPayments.ts"
import { paymentsOnCancel } from "../../payment/online/paymentsOnCancel.ts"
import { paymentTasks } from "../../payment/online/paymentTasks.ts"
import type { Payment } from "../../payment/Payment.ts"
import type { NewEvent } from "../../port/EventLog.ts"
import { Ids } from "../../port/Ids.ts"
import type { Session } from "../../session/Session.ts"
import { sessionDecider } from "../../session/SessionDecider.ts"
import { sessionEvent } from "../../session/Sessions.ts"
import { SessionStore } from "../../session/SessionStore.ts"
import type { CancelMail } from "../../task/Task.ts"
import { TaskStore } from "../../task/TaskStore.ts"
import type { Instant } from "../../time/Instant.ts"
import { withPayments } from "../balance.ts"
import type { Booking } from "../Booking.ts"
import { bookingDecider } from "../BookingDecider.ts"
import { BookingStore } from "../BookingStore.ts"
import type { BookingRecord } from "../BookingView.ts"
import { type EventsAndTasks, eventsAndTasksFor } from "../eventsAndTasks.ts"

/** Cancels and stores locked sessions and bookings. Returns the events, which the caller must append in this order. */
export const makeStoreCancelled = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const ids = yield* Ids
  const taskStore = yield* TaskStore
  const lockPayments = yield* makeLockPayments
  const putPayments = yield* makePutPayments
  const sessions = yield* SessionStore

  return (
    called: ReadonlyArray<Session>,
    records: ReadonlyArray<BookingRecord>,
    now: Instant,
    mail?: CancelMail | null
  ) =>
    Effect.gen(function*() {
      const events: Array<NewEvent> = []
      const changed: Array<Session> = []
      for (const session of called) {
        const { events: decided, state } = Either.getOrThrow(Decider.run(sessionDecider)(session, { _tag: "Cancel" }))
        events.push(...decided.map(({ _tag }) => sessionEvent(state, _tag, now)))
        if (decided.length > 0) changed.push(state)
      }
      const cancelled = cancelAll(records, yield* lockPayments(records), now, ids.uuid, mail)
      if (changed.length > 0) yield* sessions.put(changed)
      if (cancelled.bookings.length > 0) yield* bookings.update(cancelled.bookings)
      yield* putPayments(cancelled.payments)
      if (cancelled.tasks.length > 0) yield* taskStore.add(cancelled.tasks)
      return {
        events: [...events, ...cancelled.events],
        cancelled: cancelled.bookings.length,
        refunded: cancelled.refunded
      }
    })
})

/**
 * Decides the outfitter's cancellation of these bookings. Paid bookings are refunded in full, and guests are
 * notified. Bookings that are already canceled are skipped.
 */
export const cancelAll = (
  records: ReadonlyArray<BookingRecord>,
  /** The payments for these bookings. */
  payments: ReadonlyArray<Payment>,
  now: Instant,
  newId: () => string,
  mail: CancelMail | null = "mail.cancelled"
): EventsAndTasks & {
  readonly bookings: ReadonlyArray<Booking>
  readonly payments: ReadonlyArray<Payment>
  readonly refunded: number
} => {
  const cancelled = records.flatMap((record) => {
    const cancel = { _tag: "Cancel" as const, now, refund: "all" as const }
    const { events, state } = Either.getOrThrow(Decider.run(bookingDecider)(record.booking, cancel))
    if (events.length === 0) return []
    const own = payments.filter(({ bookingId, orgId }) => bookingId === state.id && orgId === state.orgId)
    const changes = paymentsOnCancel(events, own, now)
    const booking = withPayments(state, own, changes.map(({ state }) => state))
    const recorded = eventsAndTasksFor({
      before: record.booking,
      after: { ...record, booking },
      events,
      now,
      newId,
      isMailed: mail !== null,
      cancelMail: mail ?? undefined
    })
    const tasks = changes.flatMap((one) => paymentTasks(one.state, one.events, { now, newId }))
    return [{ booking, changes, events: recorded.events, tasks: [...recorded.tasks, ...tasks] }]
  })
  const tasks = cancelled.flatMap(({ tasks }) => tasks)
  return {
    bookings: cancelled.map(({ booking }) => booking),
    payments: cancelled.flatMap(({ changes }) => changes.map(({ state }) => state)),
    events: cancelled.flatMap(({ events }) => events),
    tasks,
    refunded: tasks.filter(({ kind }) => kind === "refund").length
  }
}
