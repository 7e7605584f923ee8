/**
 * Opens the provider's checkout for a hold or for a confirmed booking's balance. The parameters are stored with the
 * booking, so repeated calls open only one checkout. If the provider no longer accepts the payment, the payment is
 * abandoned and a new one is requested. After a definite refusal, the new payment is created but not requested until
 * the next call, because the provider would refuse the same request again immediately.
 *
 * A booking has at most one open checkout. A balance checkout is replaced if it has expired or the balance has changed.
 */
import * as Effect from "effect/Effect"
import { computeBalance } from "../../booking/balance.ts"
import { type Booking, type ConfirmedBooking, type HeldBooking, isLive, withUpdatedAt } from "../../booking/Booking.ts"
import { BookingStore } from "../../booking/BookingStore.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import { makeBookingTask } from "../../booking/eventsAndTasks.ts"
import { OrgStore } from "../../org/Orgs.ts"
import { Ids } from "../../port/Ids.ts"
import { TransactionContext } from "../../port/UnitOfWork.ts"
import { currentTime } from "../../time/currentTime.ts"
import type * as Instant from "../../time/Instant.ts"
import {
  isPayable,
  type OpeningPayment,
  type OpenPayment,
  type Payment,
  type PaymentAccount,
  PaymentStore
} from "../Payment.ts"
import { type OpenedCheckout, PaymentsFailed } from "../PaymentProvider.ts"
import { makeCheckoutTasks, makeCloseCheckoutTask, makeNextPaymentAttempt, makePaymentTasks } from "./paymentChanges.ts"
import { Payments, withProviderTimeout } from "./Payments.ts"
import { makeUpdateBookingAndPayments, runPaymentDecider } from "./updateBookingAndPayments.ts"

/**
 * The maximum number of new payments per call. If the provider rejects them all, another new payment would not help.
 */
const maxRetries = 3

/**
 * Opens the checkout and returns the booking with its URL. Returns the booking unchanged if payment is no longer due.
 */
export const openCheckout = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const updateBooking = yield* makeUpdateBookingAndPayments
  const ids = yield* Ids
  const orgs = yield* OrgStore
  const payments = yield* Payments
  const store = yield* PaymentStore

  const keyOf = ({ id, orgId }: Booking) => ({ orgId, id })
  const reload = (record: BookingRecord) => Effect.map(bookings.find([keyOf(record.booking)]), ([row]) => row ?? record)

  /** Stores the checkout URL if the booking still awaits payment. Otherwise, closes the new checkout. */
  const recordOpened = (payment: Payment, { session, url }: OpenedCheckout) =>
    updateBooking({ orgId: payment.orgId, id: payment.bookingId }, (now, record, bookingPayments) => {
      const current = bookingPayments.find(({ id }) => id === payment.id)
      if (current === undefined) return { result: record }
      const { events, state } = runPaymentDecider(current, { _tag: "Opened", session, url })
      if (events.length === 0) return { result: record }
      const { booking } = record
      const tasks = makePaymentTasks(state, events, { now, newId: ids.uuid })
      if (state.status !== "open" || !needsCheckout(booking) || booking.status === "confirmed") {
        return { result: record, payments: [state], tasks: tasks }
      }
      const openedHold: HeldBooking = { ...withUpdatedAt(booking, now), checkoutUrl: url }
      return {
        result: { ...record, booking: openedHold },
        booking: openedHold,
        payments: [state],
        tasks: [...tasks, makeBookingTask(openedHold, "mail.held", ids.uuid(), now)]
      }
    })

  /** Abandons the stale payment and returns the next payment to request, creating it if necessary. */
  const renewCheckout = (record: BookingRecord, stalePayment: Payment | undefined, account: PaymentAccount) =>
    updateBooking(keyOf(record.booking), (now, { booking, ...rest }, bookingPayments) => {
      const current = bookingPayments.find(({ id, status }) => id === stalePayment?.id && status === "opening")
      const abandonedPayments = current === undefined ? [] : [runPaymentDecider(current, { _tag: "Abandon" }).state]
      const otherPayments = bookingPayments.filter(({ id }) => id !== current?.id)
      const currentPayment = otherPayments.find((payment) => isCurrentCheckout(booking, payment, now))
      if (currentPayment !== undefined || !needsCheckout(booking) || !isLive(booking, now)) {
        return { result: currentPayment, payments: abandonedPayments }
      }
      const decisions = otherPayments.filter(isPayable).map((payment) => runPaymentDecider(payment, { _tag: "Expire" }))
      const nextPayment = makeNextPaymentAttempt({ ...rest, booking }, bookingPayments, {
        id: ids.uuid(),
        now,
        taker: account
      })
      const payments = [...abandonedPayments, ...decisions.map(({ state }) => state)]
      const tasks = decisions.flatMap(({ events, state }) => makePaymentTasks(state, events, { now, newId: ids.uuid }))
      if (booking.status === "confirmed") {
        const balancePayment = { ...nextPayment, cents: computeBalance(booking).dueCents }
        return {
          result: balancePayment,
          payments: [...payments, balancePayment],
          tasks: [...tasks, makeCloseCheckoutTask(balancePayment, balancePayment.expiresAt, ids.uuid)]
        }
      }
      return {
        result: nextPayment,
        payments: [...payments, nextPayment],
        // The delay grows by 1 minute per attempt, so that a refused request is not repeated every minute.
        tasks: [...tasks, ...makeCheckoutTasks(nextPayment, booking.expiresAt, ids.uuid, nextPayment.attempt)]
      }
    })

  const queryAccount = (orgId: string) =>
    Effect.flatMap(
      withProviderTimeout(payments.connected(orgId)),
      (account) =>
        account === null
          ? new PaymentsFailed({ message: "No payment provider is connected." })
          : Effect.succeed(account)
    )

  const open = (record: BookingRecord, retriesLeft: number): Effect.Effect<BookingRecord, PaymentsFailed> =>
    Effect.gen(function*() {
      const now = yield* currentTime
      if (!needsCheckout(record.booking) || !isLive(record.booking, now)) return record
      const existing = (yield* store.ofBookings([keyOf(record.booking)])).find((payment) =>
        isCurrentCheckout(record.booking, payment, now)
      )
      const payment = existing ?? (yield* renewCheckout(record, undefined, yield* queryAccount(record.booking.orgId)))
      if (payment === undefined || payment.status !== "opening") return yield* reload(record)
      // Do not call the provider inside the host application's transaction. The `checkout.open` task or a repeated
      // request opens the checkout.
      if ((yield* TransactionContext)?.owner === "host") return record
      const org = yield* Effect.orDie(Effect.flatten(orgs.find(record.booking.orgId)))
      const result = yield* Effect.either(withProviderTimeout(payments.checkout(payment, record, org)))
      if (result._tag === "Right") {
        return result.right === null ? record : (yield* recordOpened(payment, result.right)) ?? record
      }
      const { reason } = result.left
      const isRepeated = reason === "stale" && retriesLeft > 0
      if (isRepeated || reason === "declined") yield* renewCheckout(record, payment, payment)
      if (!isRepeated) return yield* result.left
      return yield* open(yield* reload(record), retriesLeft - 1)
    })

  return (record: BookingRecord) => open(record, maxRetries)
})

/** Returns whether a hold awaits its checkout URL, or a confirmed booking has a balance to pay. */
const needsCheckout = (booking: Booking): booking is HeldBooking | ConfirmedBooking =>
  booking.status === "held"
    ? booking.paymentDue && booking.checkoutUrl === null
    : computeBalance(booking).dueCents > 0

/** Returns whether the guest can still pay the amount due with this payment. */
export const isCurrentCheckout = (
  booking: Booking,
  payment: Payment,
  now: Instant.Instant
): payment is OpeningPayment | OpenPayment =>
  isPayable(payment) &&
  (booking.status !== "confirmed" || payment.cents === computeBalance(booking).dueCents && payment.expiresAt > now)
