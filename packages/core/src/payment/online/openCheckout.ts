/**
 * Opens the provider's checkout for a hold or for a confirmed booking's balance. The parameters are stored with the
 * booking, so repeated calls open only one checkout. If the provider no longer accepts the payment, the payment is
 * abandoned and a new one is requested. After a definite refusal, the next call requests the new payment, because the
 * provider would refuse the same request if it were repeated immediately.
 *
 * A booking has at most one open checkout. A balance checkout is replaced if it has expired or the balance has changed.
 */
import * as Effect from "effect/Effect"
import { computeBalance } from "../../booking/balance.ts"
import { type Booking, type Confirmed, type Held, isLive, withUpdatedAt } from "../../booking/Booking.ts"
import { BookingStore } from "../../booking/BookingStore.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import { makeBookingTask } from "../../booking/eventsAndTasks.ts"
import { OrgStore } from "../../org/OrgStore.ts"
import { Ids } from "../../port/Ids.ts"
import { TransactionContext } from "../../port/UnitOfWork.ts"
import { currentTime } from "../../time/currentTime.ts"
import type * as Instant from "../../time/Instant.ts"
import { isPayable, type Open, type Opening, type Payment, type PaymentAccount, PaymentStore } from "../Payment.ts"
import type { OpenedCheckout } from "../PaymentProvider.ts"
import { makeNextAttempt } from "./matchPayment.ts"
import { Payments, PaymentsFailed } from "./Payments.ts"
import { checkoutTasks, closeTask, paymentTasks } from "./paymentTasks.ts"
import { makeUpdateBookingAndPayments, runPaymentDecider } from "./updateBookingAndPayments.ts"
import { withProviderTimeout } from "./withProviderTimeout.ts"

/**
 * The maximum number of new payments per call. If the provider rejects them all, another new payment would not help.
 */
const attempts = 3

/**
 * Opens the checkout and returns the booking with its URL. Returns the booking unchanged if no payment is due anymore.
 */
export const openCheckout = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const change = yield* makeUpdateBookingAndPayments
  const ids = yield* Ids
  const orgs = yield* OrgStore
  const payments = yield* Payments
  const store = yield* PaymentStore

  const keyOf = ({ id, orgId }: Booking) => ({ orgId, id })
  const reload = (record: BookingRecord) => Effect.map(bookings.find([keyOf(record.booking)]), ([row]) => row ?? record)

  /** Stores the checkout URL if the booking still awaits payment. Otherwise, closes the checkout again. */
  const recordOpened = (payment: Payment, { session, url }: OpenedCheckout) =>
    change({ orgId: payment.orgId, id: payment.bookingId }, (now, record, all) => {
      const current = all.find(({ id }) => id === payment.id)
      if (current === undefined) return { answer: record }
      const { events, state } = runPaymentDecider(current, { _tag: "Opened", session, url })
      if (events.length === 0) return { answer: record }
      const { booking } = record
      const tasks = paymentTasks(state, events, { now, newId: ids.uuid })
      if (state.status !== "open" || !isAwaited(booking) || booking.status === "confirmed") {
        return { answer: record, payments: [state], tasks: tasks }
      }
      const paying: Held = { ...withUpdatedAt(booking, now), checkoutUrl: url }
      return {
        answer: { ...record, booking: paying },
        booking: paying,
        payments: [state],
        tasks: [...tasks, makeBookingTask(paying, "mail.held", ids.uuid(), now)]
      }
    })

  /** Abandons the stale payment and returns the payment to request next, which is created if necessary. */
  const renewCheckout = (record: BookingRecord, stale: Payment | undefined, taker: PaymentAccount) =>
    change(keyOf(record.booking), (now, { booking, ...rest }, all) => {
      const current = all.find(({ id, status }) => id === stale?.id && status === "opening")
      const abandoned = current === undefined ? [] : [runPaymentDecider(current, { _tag: "Abandon" }).state]
      const others = all.filter(({ id }) => id !== current?.id)
      const payable = others.find((payment) => isCurrentCheckout(booking, payment, now))
      if (payable !== undefined || !isAwaited(booking) || !isLive(booking, now)) {
        return { answer: payable, payments: abandoned }
      }
      const decisions = others.filter(isPayable).map((payment) => runPaymentDecider(payment, { _tag: "Expire" }))
      const next = makeNextAttempt({ ...rest, booking }, all, { id: ids.uuid(), now, taker })
      const payments = [...abandoned, ...decisions.map(({ state }) => state)]
      const tasks = decisions.flatMap(({ events, state }) => paymentTasks(state, events, { now, newId: ids.uuid }))
      if (booking.status === "confirmed") {
        const balance = { ...next, cents: computeBalance(booking).dueCents }
        return {
          answer: balance,
          payments: [...payments, balance],
          tasks: [...tasks, closeTask(balance, balance.expiresAt, ids.uuid)]
        }
      }
      return {
        answer: next,
        payments: [...payments, next],
        // The delay grows by 1 minute per attempt, so that a refused request is not repeated every minute.
        tasks: [...tasks, ...checkoutTasks(next, booking.expiresAt, ids.uuid, next.attempt)]
      }
    })

  const takerOf = (orgId: string) =>
    Effect.flatMap(
      withProviderTimeout(payments.connected(orgId)),
      (taker) =>
        taker === null ? new PaymentsFailed({ message: "No payment provider is connected." }) : Effect.succeed(taker)
    )

  const attempt = (record: BookingRecord, retriesLeft: number): Effect.Effect<BookingRecord, PaymentsFailed> =>
    Effect.gen(function*() {
      const now = yield* currentTime
      if (!isAwaited(record.booking) || !isLive(record.booking, now)) return record
      const existing = (yield* store.ofBookings([keyOf(record.booking)])).find((payment) =>
        isCurrentCheckout(record.booking, payment, now)
      )
      const payment = existing ?? (yield* renewCheckout(record, undefined, yield* takerOf(record.booking.orgId)))
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
      return yield* attempt(yield* reload(record), retriesLeft - 1)
    })

  return (record: BookingRecord) => attempt(record, attempts)
})

/** Returns whether a hold awaits its checkout URL, or a confirmed booking has a balance to pay. */
const isAwaited = (booking: Booking): booking is Held | Confirmed =>
  booking.status === "held"
    ? booking.paymentDue && booking.checkoutUrl === null
    : computeBalance(booking).dueCents > 0

/** Returns whether the guest can still pay the amount due with this payment. */
export const isCurrentCheckout = (
  booking: Booking,
  payment: Payment,
  now: Instant.Instant
): payment is Opening | Open =>
  isPayable(payment) &&
  (booking.status !== "confirmed" || payment.cents === computeBalance(booking).dueCents && payment.expiresAt > now)
