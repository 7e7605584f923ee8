/**
 * Opens and closes checkouts, and applies their results to the bookings. No locks are held while the provider is
 * called.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type Booking, type HeldBooking, isLive, withUpdatedAt } from "../../booking/Booking.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import { BookingWriter } from "../../booking/write/BookingWriter.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { Ids } from "../../port/Ids.ts"
import { TenantScope } from "../../port/UnitOfWork.ts"
import type { Refusal } from "../../Refusal.ts"
import { makeStaffNotificationTasks } from "../../staff/Notifier.ts"
import { StaffStore } from "../../staff/StaffMember.ts"
import type { TaskResult } from "../../task/Handler.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import {
  type Checkout,
  isPayable,
  type Payment,
  type PaymentAccount,
  type PaymentRequest,
  PaymentStore
} from "../Payment.ts"
import type { PaymentCommand } from "../PaymentDecider.ts"
import type { PaymentNotification, PaymentsFailed, ProviderCheckout } from "../PaymentProvider.ts"
import { makeRefundPayment } from "./makeRefundPayment.ts"
import { openCheckout } from "./openCheckout.ts"
import { makeCheckoutTasks, makeNextPaymentAttempt, makePaymentTasks } from "./paymentChanges.ts"
import { Payments, withProviderTimeout } from "./Payments.ts"
import { makeUpdateBookingAndPayments, runPaymentDecider } from "./updateBookingAndPayments.ts"

/** The provider account that a report is about. */
export type ReportedAccount = PaymentAccount & Pick<Checkout, "orgId">

export class Checkouts extends Context.Tag("@trailbook/core/Checkouts")<
  Checkouts,
  {
    /**
     * Opens the checkout for a hold and returns the booking with the checkout's URL. Returns the booking unchanged if
     * payment is no longer due or if the URL is not available yet. For a balance, the URL is stored only with the
     * payment.
     */
    readonly open: (hold: BookingRecord) => Effect.Effect<BookingRecord, PaymentsFailed>
    /**
     * Closes the checkout for a hold that has ended, and settles a payment that was made in the meantime. If the hold
     * is live, the task is postponed.
     */
    readonly close: (payment: Payment, booking: Booking) => Effect.Effect<TaskResult, PaymentsFailed>
    /**
     * Queries the object that a notification names, and settles the result. Returns whether the result changed
     * anything.
     */
    readonly apply: (
      account: ReportedAccount,
      notification: PaymentNotification
    ) => Effect.Effect<boolean, PaymentsFailed>
    /** Queries the provider for a payment, and settles the result. Returns whether the result changed anything. */
    readonly refreshPayment: (payment: OrgKey) => Effect.Effect<boolean, PaymentsFailed>
  }
>() {
  static readonly layer = Layer.effect(Checkouts, Effect.suspend(() => makeCheckouts))
}

const makeCheckouts = Effect.gen(function*() {
  const updateBooking = yield* makeUpdateBookingAndPayments
  const open = yield* openCheckout
  const payments = yield* Payments
  const refunds = yield* makeRefundPayment
  const applyStatus = yield* makeApplyProviderStatus
  const changePaymentAndNotify = yield* makeChangePaymentAndNotify
  const store = yield* PaymentStore

  const find = (key: OrgKey) => Effect.map(store.find([key]), ([payment]) => payment)

  /**
   * Stores the session in which the payment was made. A report about any other session of the payment concerns a
   * different charge.
   */
  const recordPaidSession = ({ bookingId, id, orgId }: Payment, session: string, intent: string) =>
    updateBooking({ orgId, id: bookingId }, (_now, _record, bookingPayments) => {
      const current = bookingPayments.find((payment) => payment.id === id)
      return current?.status === "paid" && current.intent === intent && current.session !== session
        ? { result: undefined, payments: [{ ...current, session }] }
        : { result: undefined }
    })

  const queryCheckout = (payment: Payment, session: string) =>
    Effect.gen(function*() {
      // Do not query a paid payment again. A guest who pays in a second session of the payment has paid twice, so
      // that session is queried.
      if (payment.status === "paid" && payment.session === session) return false
      const checkout = yield* withProviderTimeout(payments.getCheckout({ ...payment, session }))
      if (checkout.status !== "paid") {
        yield* applyStatus(payment, checkout)
        return checkout.status === "expired" && isPayable(payment)
      }
      const { bookingId: id, orgId } = payment
      const isAlreadyPaid = (yield* store.ofBookings([{ orgId, id }])).some((one) =>
        one.status === "paid" && one.intent === checkout.intent
      )
      if (!(yield* applyStatus(payment, checkout))) return false
      if (payment.session !== session) yield* recordPaidSession(payment, session, checkout.intent)
      return !isAlreadyPaid
    })

  return Checkouts.of({
    open,
    close: (payment, booking) =>
      Effect.gen(function*() {
        const now = yield* currentTime
        if (payment.status === "paid") return "done" as const
        // Moving a hold does not change its expiry. Its checkout closes only when the hold expires or the booking
        // ends.
        if (booking.status === "held" && isLive(booking, now) && isPayable(payment)) {
          return { laterAt: booking.expiresAt }
        }
        if (payment.session === null) {
          // The response to the request was lost, so the guest cannot have the URL. If the provider reports the
          // checkout later, its result is still settled.
          yield* applyStatus(payment, { status: "expired" })
          return "done" as const
        }
        const checkout = yield* withProviderTimeout(payments.close({ ...payment, session: payment.session }))
        yield* applyStatus(payment, checkout)
        // A payment can process for days before it succeeds or fails, so check again in 1 hour.
        return checkout.status === "open" ? { laterAt: Instant.addMinutes(now, 60) } : "done" as const
      }),
    apply: (account, notification) =>
      Effect.gen(function*() {
        if (notification._tag !== "Checkout") {
          const paidPayment = Option.getOrUndefined(
            yield* store.withIntent({ ...account, intent: notification.intent })
          )
          if (paidPayment?.status !== "paid") return false
          return notification._tag === "Refund"
            ? yield* refunds.look(paidPayment)
            : yield* changePaymentAndNotify(
              paidPayment,
              "mail.dispute",
              (now) => ({ _tag: "Dispute", now, status: notification.status })
            )
        }
        // The account may have checkouts that Trailbook did not create.
        if (notification.paymentId === null) return false
        const payment = yield* find({ orgId: account.orgId, id: notification.paymentId })
        return payment === undefined || !isAccountOf(account, payment)
          ? false
          : yield* queryCheckout(payment, notification.session)
      }),
    refreshPayment: (key) =>
      Effect.flatMap(find(key), (payment) =>
        payment === undefined || payment.session === null
          ? Effect.succeed(false)
          : queryCheckout(payment, payment.session))
  })
})

const isAccountOf = ({ connection, provider }: ReportedAccount, payment: Payment): boolean =>
  payment.provider === provider && payment.connection === connection

/**
 * Applies a payment's state at the provider to the payment and its booking. Duplicate, late, or out-of-order states
 * change nothing. If the amount, the currency, or the payment ID does not match, the payment settles nothing. The
 * mismatch is recorded, and the staff are notified.
 */
const makeApplyProviderStatus = Effect.gen(function*() {
  const updateBooking = yield* makeUpdateBookingAndPayments
  const writer = yield* BookingWriter
  const ids = yield* Ids
  const recordMismatch = yield* makeRecordMismatch

  const pay = ({ bookingId, id: paymentId, orgId }: Payment, paymentIntentId: string) =>
    writer.update({ _tag: "Pay", key: { orgId, id: bookingId }, paymentIntentId, paymentId }).pipe(
      Effect.asVoid,
      // Ignore a missing booking. This should never happen, because bookings are never deleted.
      Effect.catchAll<Refusal<"not_found">, void, never, never>(() => Effect.void),
      Effect.provideService(TenantScope, [orgId])
    )

  /** If a checkout expires before its hold, its URL no longer works, so the guest gets a new one. */
  const expire = ({ bookingId, id, orgId }: Payment) =>
    updateBooking({ orgId, id: bookingId }, (now, record, bookingPayments) => {
      const current = bookingPayments.find((payment) => payment.id === id)
      const decision = current === undefined ? undefined : runPaymentDecider(current, { _tag: "Expire" })
      if (decision === undefined || decision.events.length === 0) return { result: undefined }
      const { booking } = record
      const tasks = makePaymentTasks(decision.state, decision.events, { now, newId: ids.uuid })
      if (booking.status !== "held" || !booking.paymentDue || !isLive(booking, now)) {
        return { result: undefined, payments: [decision.state], tasks }
      }
      const nextPayment = makeNextPaymentAttempt(record, bookingPayments, {
        id: ids.uuid(),
        now,
        taker: decision.state
      })
      return {
        result: undefined,
        booking: { ...withUpdatedAt(booking, now), checkoutUrl: null } satisfies HeldBooking,
        payments: [decision.state, nextPayment],
        tasks: [...tasks, ...makeCheckoutTasks(nextPayment, booking.expiresAt, ids.uuid)]
      }
    })

  /** Returns false if the payment does not match. A mismatch is recorded instead of settled. */
  return (
    payment: Payment,
    checkout: ProviderCheckout | { readonly status: "expired" }
  ): Effect.Effect<boolean> => {
    switch (checkout.status) {
      case "paid":
        return isPaymentMismatch(payment, checkout)
          ? Effect.as(recordMismatch(payment, checkout), false)
          : Effect.as(pay(payment, checkout.intent), true)
      case "expired":
        return Effect.as(expire(payment), true)
      case "open":
        return Effect.succeed(true)
    }
  }
})

/**
 * The facts that a provider or the host application reports about a payment. Null means that the value was not
 * reported.
 */
export interface ReportedPayment {
  readonly intent: string
  readonly paymentId: string | null
  readonly cents: number | null
  readonly currency: string | null
}

/**
 * Returns whether a reported payment differs from the request in amount, currency, or payment ID. A checkout can have a
 * payment's ID even though Trailbook did not request it, because a payment link on the same account accepts any client
 * reference. A provider with a connection must report all three values. The host application may omit values that it
 * does not know.
 */
export const isPaymentMismatch = (
  { cents, connection, currency, id }: Pick<PaymentRequest, "id" | "cents" | "currency" | "connection">,
  money: Omit<ReportedPayment, "intent">
): boolean => {
  const isDifferent = <A>(reportedValue: A | null, requestedValue: A) =>
    reportedValue === null ? connection !== null : reportedValue !== requestedValue
  return isDifferent(money.cents, cents) || isDifferent(money.currency?.toLowerCase() ?? null, currency) ||
    isDifferent(money.paymentId, id)
}

/** Changes a payment and notifies the staff. Returns whether the payment changed. */
const makeChangePaymentAndNotify = Effect.gen(function*() {
  const updateBooking = yield* makeUpdateBookingAndPayments
  const ids = yield* Ids
  const staff = yield* StaffStore

  return (
    { bookingId, id, orgId }: Pick<Payment, "bookingId" | "id" | "orgId">,
    kind: "mail.dispute" | "mail.mismatch",
    makeCommand: (now: Instant.Instant) => PaymentCommand
  ): Effect.Effect<boolean> =>
    Effect.gen(function*() {
      const staffMembers = yield* staff.list(orgId)
      const isChanged = yield* updateBooking({ orgId, id: bookingId }, (now, _, bookingPayments) => {
        const current = bookingPayments.find((payment) => payment.id === id)
        const decision = current === undefined ? undefined : runPaymentDecider(current, makeCommand(now))
        if (decision === undefined || decision.events.length === 0) return { result: false }
        const tasks = makeStaffNotificationTasks(ids, staffMembers, { kind, orgId, aboutId: id, dueAt: now })
        return { result: true, payments: [decision.state], tasks }
      })
      return isChanged ?? false
    })
})

/**
 * Records a mismatch on its payment and notifies the staff. Returns whether the mismatch was new. The booking, the
 * hold, and the checkout do not change.
 */
export const makeRecordMismatch = Effect.map(
  makeChangePaymentAndNotify,
  (changePaymentAndNotify) =>
  (payment: Payment, { cents, currency, intent }: ReportedPayment): Effect.Effect<boolean> =>
    changePaymentAndNotify(
      payment,
      "mail.mismatch",
      (at) => ({ _tag: "Mismatch", found: { at, intent, cents, currency } })
    )
)
