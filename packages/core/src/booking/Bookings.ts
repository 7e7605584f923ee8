/**
 * The bookings service. `BookingWriter` runs creates and updates in batches. Every other method runs its own
 * transaction. All transactions take locks in the same order (`docs/concepts/lock-order.md`), so they cannot deadlock.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { getContactEmail } from "../customer/Customer.ts"
import * as Decider from "../Decider.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { ensureFinalPeriod, OrgStore } from "../org/Orgs.ts"
import { Checkouts, isPaymentMismatch, makeRecordMismatch, type ReportedPayment } from "../payment/online/Checkouts.ts"
import { Payments, queryPaymentAccount } from "../payment/online/Payments.ts"
import { PaymentStore } from "../payment/Payment.ts"
import type { PaymentsFailed } from "../payment/PaymentProvider.ts"
import { EventLog } from "../port/EventLog.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { Ids } from "../port/Ids.ts"
import { TenantScope, UnitOfWork } from "../port/UnitOfWork.ts"
import type { RefundChoice } from "../pricing/CancellationPolicy.ts"
import { type Refusal, refuse, refuseWithRetryAfter, unavailable } from "../Refusal.ts"
import type { CancellationMailKind } from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as Zone from "../time/Zone.ts"
import type { AttendanceChange, AttendanceRefusal } from "./attendance/Attendance.ts"
import { bookingDecider } from "./BookingDecider.ts"
import { BookingStore } from "./BookingStore.ts"
import type { BookingRecord } from "./BookingView.ts"
import { makeStoreCancellations } from "./cancellation/storeCancellations.ts"
import type { CreateBookingRefusal, CreateBookingRequest } from "./createBooking.ts"
import { buildEventsAndTasks, makeBookingTask } from "./eventsAndTasks.ts"
import type { BookingChangeRequest } from "./price/computeChangedPrice.ts"
import { getNetworkLimitStart } from "./unprovenBookingLimits.ts"
import type { MoveTarget, UpdateBookingRefusal } from "./write/BookingRequest.ts"
import { BookingWriter, type HookRefusal } from "./write/BookingWriter.ts"

type NotFound = Refusal<"not_found">
type ResendRefusal = Refusal<
  "not_found" | "booking_held" | "booking_cancelled" | "customer_erased" | "no_address" | "resend_limited"
>

export class Bookings extends Context.Tag("@trailbook/core/Bookings")<
  Bookings,
  {
    readonly get: (key: OrgKey) => Effect.Effect<BookingRecord, NotFound>
    /** Creates a booking once per idempotency key. If payment is due, the result contains the checkout URL. */
    readonly create: (order: CreateBookingRequest) => Effect.Effect<BookingRecord, CreateBookingRefusal | HookRefusal>
    readonly confirm: (key: OrgKey) => Effect.Effect<BookingRecord, UpdateBookingRefusal<"Confirm">>
    /** Records that the guest opened the emailed link. A hold that depends on the link is confirmed. */
    readonly prove: (key: OrgKey) => Effect.Effect<BookingRecord, UpdateBookingRefusal<"Prove">>
    /**
     * Settles a payment that the host application reports, possibly late or more than once. If the payment does not
     * match the requested payment, the booking does not change. The mismatch is recorded, and the staff are notified.
     * Omitted fields are not compared.
     */
    readonly pay: (
      key: OrgKey,
      paymentIntentId: string,
      reported?: Partial<Omit<ReportedPayment, "intent">>
    ) => Effect.Effect<BookingRecord, NotFound>
    /** Moves a booking. The guest gets the standard email unless `isMailed` is false. */
    readonly move: (
      key: OrgKey,
      to: MoveTarget,
      options?: { readonly isMailed?: boolean; readonly byGuest?: boolean }
    ) => Effect.Effect<BookingRecord, UpdateBookingRefusal<"Move">>
    /**
     * Changes the party, extras, adjustments, and notes, and computes the new price. Emails the guest unless `isMailed`
     * is false.
     */
    readonly update: (
      key: OrgKey,
      change: BookingChangeRequest,
      isMailed?: boolean
    ) => Effect.Effect<BookingRecord, UpdateBookingRefusal<"Change">>
    /** Cancels a booking. The guest gets the email `mail`, or no email if `mail` is null. */
    readonly cancel: (
      key: OrgKey,
      refund: RefundChoice,
      mail?: CancellationMailKind | null
    ) => Effect.Effect<BookingRecord, NotFound>
    /** Restores a booking that was canceled in the last 24 hours. Pending refunds are still processed. */
    readonly restore: (key: OrgKey) => Effect.Effect<BookingRecord, UpdateBookingRefusal<"Restore">>
    /** Records whether the guests arrived. A tap that no longer counts changes nothing. */
    readonly tap: (key: OrgKey, tap: AttendanceChange) => Effect.Effect<BookingRecord, NotFound | AttendanceRefusal>
    /** Sends the confirmation email again, at most once in 24 hours. */
    readonly resend: (key: OrgKey) => Effect.Effect<void, ResendRefusal>
    /** Cancels up to `limit` holds that expired at least 24 hours ago. Returns the number of canceled holds. */
    readonly sweep: (limit: number) => Effect.Effect<number>
    /**
     * Clears the network from up to `limit` bookings that no longer count against it. Returns the number of changed
     * bookings.
     */
    readonly forgetNetworks: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(Bookings, Effect.suspend(() => makeBookings))
}

const makeBookings = Effect.gen(function*() {
  const store = yield* BookingStore
  const writer = yield* BookingWriter
  const createWithPaymentCheck = yield* makeCreateWithPaymentCheck
  const ids = yield* Ids
  const { open: openCheckout } = yield* Checkouts
  const log = yield* EventLog
  const orgs = yield* OrgStore
  const taskStore = yield* TaskStore
  const { run } = yield* UnitOfWork
  const cancel = yield* makeStoreCancellations
  const recordMismatch = yield* makeRecordMismatch
  const payments = yield* PaymentStore

  const get = (key: OrgKey) => Effect.flatMap(store.find([key]), failIfNotFound("booking", key.id))

  return Bookings.of({
    get,
    create: (request) =>
      Effect.gen(function*() {
        const record = yield* createWithPaymentCheck(request)
        const { booking } = record
        // Skip the payment provider if no payment is due.
        if (booking.status !== "held" || !booking.paymentDue || booking.checkoutUrl !== null) return record
        return yield* Effect.mapError(openCheckout(record), checkoutUnavailable)
      }),
    confirm: (key) => writer.update({ _tag: "Confirm", key }),
    prove: (key) => writer.update({ _tag: "Prove", key }),
    pay: (key, paymentIntentId, { cents = null, currency = null, paymentId = null } = {}) =>
      Effect.gen(function*() {
        const money = { intent: paymentIntentId, paymentId, cents, currency }
        const bookingPayments = yield* payments.ofBookings([key])
        const payment = bookingPayments.find(({ id }) => id === paymentId) ??
          bookingPayments.findLast(({ status }) => status !== "paid") ??
          bookingPayments.at(-1)
        if (payment !== undefined && isPaymentMismatch({ ...payment, connection: null }, money)) {
          yield* recordMismatch(payment, money)
          return yield* get(key)
        }
        return yield* writer.update({
          _tag: "Pay",
          key,
          paymentIntentId,
          ...(paymentId === null ? {} : { paymentId })
        })
      }).pipe(Effect.provideService(TenantScope, [key.orgId])),
    move: (key, to, options = {}) => writer.update({ _tag: "Move", key, to, ...options }),
    update: (key, change, isMailed = true) => writer.update({ _tag: "Change", key, change, isMailed }),
    cancel: (key, refund, mail = "mail.cancelled") => writer.update({ _tag: "Cancel", key, refund, mail }),
    // A canceled booking's discount code no longer changes, so it can be read before the lock.
    restore: (key) =>
      Effect.flatMap(
        get(key),
        ({ booking: { price } }) => writer.update({ _tag: "Restore", key, discountCode: price?.terms.discount?.code })
      ),
    tap: (key, tap) =>
      run(Effect.gen(function*() {
        const record = yield* Effect.flatMap(store.lock([key]), failIfNotFound("booking", key.id))
        const { timezone } = yield* Effect.orDie(Effect.flatten(orgs.find(key.orgId)))
        const now = yield* currentTime
        const command = { _tag: "Tap", now, tap, zone: Zone.get(timezone) } as const
        const { events, state } = yield* Decider.run(bookingDecider)(record.booking, command)
        if (events.length === 0) return record
        const after = { ...record, booking: state }
        yield* store.put([state])
        const effects = buildEventsAndTasks({ before: record.booking, after, events, now, newId: ids.uuid })
        if (effects.events.length > 0) yield* log.append(effects.events)
        return after
      })),
    resend: (key) =>
      run(Effect.gen(function*() {
        const { booking, customer } = yield* Effect.flatMap(store.lock([key]), failIfNotFound("booking", key.id))
        const now = yield* currentTime
        if (booking.status === "held") return yield* refuse("booking_held")
        if (booking.status === "cancelled") return yield* refuse("booking_cancelled")
        // An erased customer has no email address.
        if (customer.email === "") return yield* refuse("customer_erased")
        if (getContactEmail(customer) === "") return yield* refuse("no_address")
        const nextResendAt = booking.resentAt === null ? now : Instant.addMinutes(booking.resentAt, 24 * 60)
        if (nextResendAt > now) {
          return yield* refuseWithRetryAfter(Math.ceil((nextResendAt - now) / 1000), "resend_limited")
        }
        yield* store.put([{ ...booking, resentAt: now }])
        yield* taskStore.add([makeBookingTask(booking, "mail.confirmed", ids.uuid(), now)])
      })),
    forgetNetworks: (limit) =>
      Effect.flatMap(currentTime, (now) => run(store.forgetNetworks(getNetworkLimitStart(now), limit))),
    sweep: (limit) =>
      Effect.gen(function*() {
        const dayAgo = Instant.addMinutes(yield* currentTime, -24 * 60)
        const keys = yield* store.holdsExpiredBy(dayAgo, limit)
        const results = yield* Effect.forEach(keys, (key) =>
          run(Effect.gen(function*() {
            const [record] = yield* store.lock([key])
            // Skip the hold if it was confirmed or canceled after it was listed.
            if (record?.booking.status !== "held" || record.booking.expiresAt > dayAgo) return false
            // The guest ignored the email with the confirmation link. That email states that it can be ignored, so
            // the guest gets no further email.
            const isUnconfirmed = (record.booking.unproven?.confirmIn ?? null) !== null
            const mail = isUnconfirmed ? null : "mail.expired"
            const { events } = yield* cancel([], [record], yield* currentTime, mail)
            yield* log.append(events)
            return true
          })))
        return results.filter((wasCancelled) => wasCancelled).length
      })
  })
})

/**
 * Returns the error for a checkout that cannot be opened. The hold exists either way, so the same request can open its
 * checkout later.
 */
const checkoutUnavailable = ({ message, reason }: PaymentsFailed) =>
  unavailable(
    reason === undefined
      ? "The payment provider did not respond. Your spot is held. Retry with the same idempotency_key."
      : `The payment provider refused the checkout: ${
        ensureFinalPeriod(message)
      } Your spot is held. Fix the problem, then ` +
        "retry with the same idempotency_key."
  )

/**
 * Creates bookings that may require online payment. The query for the payment account runs third-party code, so it runs
 * outside the transaction, with a timeout, and only if payment may be due.
 *
 * The price is known only after it is read under the lock, so the first attempt skips the query. If the attempt fails
 * with `PaymentStatusRequired`, the account is queried and the booking is retried. If an earlier booking for the
 * offering required payment, the account is queried first, to save the retry. If that query times out, the booking is
 * attempted anyway, because the offering may be free by now, or the request may be a repeat.
 */
const makeCreateWithPaymentCheck = Effect.gen(function*() {
  const writer = yield* BookingWriter
  const payments = yield* Payments
  const paidFor = new Set<string>()
  const checkPayments = (order: CreateBookingRequest) =>
    Effect.map(queryPaymentAccount(payments, order.orgId), (account) => ({ ...order, connected: account }))

  return (order: CreateBookingRequest) =>
    Effect.gen(function*() {
      const offering = `${order.orgId} ${order.offeringId}`
      const isKnown = order.isWalkIn !== true && paidFor.has(offering)
      const first = isKnown ? yield* checkPayments(order) : order
      return yield* Effect.catchTag(writer.create(first), "PaymentStatusRequired", () =>
        Effect.gen(function*() {
          const second = isKnown ? first : yield* checkPayments(order)
          if (second.connected === undefined) {
            paidFor.delete(offering)
            return yield* unavailable(noAnswer)
          }
          if (paidFor.size === maxCached) paidFor.clear()
          paidFor.add(offering)
          return yield* Effect.catchTag(writer.create(second), "PaymentStatusRequired", Effect.die)
        }))
    })
})

/**
 * The maximum number of cached offerings that required payment. After the cache is cleared, the next booking for each
 * offering costs one extra attempt.
 */
const maxCached = 10_000

const noAnswer = "The payment provider did not respond, so nothing was booked. Retry with the same idempotency_key."
