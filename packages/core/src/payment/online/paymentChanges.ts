/**
 * Decides which payment a report is about, how a received payment or a cancellation changes a booking's payments, and
 * which tasks follow. The decisions are pure.
 *
 * For a received payment, the booking keeps at most the amount due, and only if its capacity is held or available
 * again. The rest is refunded: for example, a payment for a canceled booking, a second payment of the same amount, or a
 * payment that arrived after its capacity was sold. In the last case, the hold is canceled.
 */
import * as Either from "effect/Either"
import { computeBalance, computeDueNowCents, getReceivedOnlineCents } from "../../booking/balance.ts"
import type { Booking } from "../../booking/Booking.ts"
import { type BookingCommand, bookingDecider, type BookingEvent } from "../../booking/BookingDecider.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import * as Decider from "../../Decider.ts"
import * as Task from "../../task/Task.ts"
import * as Instant from "../../time/Instant.ts"
import {
  computeCheckoutExpiry,
  computeRefundableCents,
  isPayable,
  type OpeningPayment,
  type Payment,
  type PaymentAccount,
  type PaymentRequest,
  type Refund
} from "../Payment.ts"
import { paymentDecider, type PaymentEvent } from "../PaymentDecider.ts"

/** The new states of the booking and the payment, and their events. */
export interface Settlement {
  readonly booking: Decider.Decision<Booking, BookingEvent>
  readonly payment: Decider.Decision<Payment, PaymentEvent>
}

/** Settles a received payment. A repeated report of the same payment changes nothing. */
export const settlePayment = (booking: Booking, payment: Payment, receipt: {
  readonly now: Instant.Instant
  readonly intent: string
  readonly placeIsFree: boolean
}): Settlement => {
  if (payment.status === "paid") {
    return { booking: { state: booking, events: [] }, payment: { state: payment, events: [] } }
  }
  const { intent, now, placeIsFree } = receipt
  const { cents } = payment
  const decision = pay(booking, { _tag: "Pay", now, paymentIntentId: intent, placeIsFree, cents })
  const capture = {
    _tag: "Capture",
    now,
    intent,
    keptCents: Math.max(0, getReceivedOnlineCents(decision.state) - getReceivedOnlineCents(booking))
  } as const
  return { booking: decision, payment: Either.getOrThrow(Decider.run(paymentDecider)(payment, capture)) }
}

const pay = (booking: Booking, command: Extract<BookingCommand, { readonly _tag: "Pay" }>) => {
  const { dueCents } = computeBalance(booking)
  if (booking.status !== "confirmed" || booking.paymentIntentId === null || dueCents === 0) {
    return Either.getOrThrow(Decider.run(bookingDecider)(booking, command))
  }
  // The booking stores only the ID of its first payment. The amount of a later payment is added here, because only this
  // function knows that the payment is new.
  const cents = getReceivedOnlineCents(booking) + Math.min(command.cents ?? 0, dueCents)
  const events: ReadonlyArray<BookingEvent> = [{ _tag: "payment.added", at: command.now, cents }]
  return { events, state: events.reduce(bookingDecider.evolve, booking) }
}

/** The new state of a payment and its events. */
export type PaymentChange = Decider.Decision<Payment, PaymentEvent>

/** Expires the open payments of a booking that was confirmed without them. */
export const expireOpenPayments = (payments: ReadonlyArray<Payment>): ReadonlyArray<PaymentChange> =>
  payments.filter(isPayable).map((payment) =>
    Either.getOrThrow(Decider.run(paymentDecider)(payment, { _tag: "Expire" }))
  )

/**
 * Returns the changed payments for a canceled booking. Unpaid payments expire, and paid payments are refunded as
 * decided by the cancellation.
 */
export const decidePaymentsOnCancel = (
  events: ReadonlyArray<BookingEvent>,
  payments: ReadonlyArray<Payment>,
  now: Instant.Instant
): ReadonlyArray<PaymentChange> => {
  const cancellation = events.find((event) => event._tag === "booking.cancelled")
  return cancellation === undefined
    ? []
    : [
      ...expireOpenPayments(payments),
      ...refundFromPayments(payments, cancellation.refundCents ?? 0, "cancellation", now)
    ]
}

/**
 * Refunds an amount from the paid payments, newest first, up to the refundable amount of each payment. `idAt` returns
 * the refund ID for each index.
 */
export const refundFromPayments = (
  payments: ReadonlyArray<Payment>,
  cents: number,
  reason: Refund["reason"],
  now: Instant.Instant,
  idAt?: (index: number) => string
): ReadonlyArray<PaymentChange> => {
  let remainingCents = cents
  let refundCount = 0
  return payments.toSorted((a, b) => b.attempt - a.attempt).flatMap((payment) => {
    const part = Math.min(remainingCents, computeRefundableCents(payment))
    if (payment.status !== "paid" || part === 0) return []
    remainingCents -= part
    const command = { _tag: "Return", now, cents: part, reason, count: payment.refunds.length } as const
    const id = idAt === undefined ? {} : { id: idAt(refundCount++) }
    return [Either.getOrThrow(Decider.run(paymentDecider)(payment, { ...command, ...id }))]
  })
}

/**
 * Returns the tasks that follow a payment change: requesting due refunds and closing a checkout that must no longer
 * accept payment.
 */
export const makePaymentTasks = (
  { id: subjectId, orgId, session, status }: Payment,
  events: ReadonlyArray<PaymentEvent>,
  { newId, now: dueAt }: { readonly now: Instant.Instant; readonly newId: () => string }
): ReadonlyArray<Task.Task> => {
  const refunds = events.flatMap((event) =>
    event._tag === "refund.due" ? [Task.make({ id: event.refund.id, kind: "refund", orgId, subjectId, dueAt })] : []
  )
  // A payment may expire or be abandoned while its checkout is being opened. The session is known only after the
  // checkout is opened.
  const isShut = (status === "expired" || status === "abandoned") && session !== null && events.length > 0
  return isShut ? [...refunds, Task.make({ id: newId(), kind: "checkout.close", orgId, subjectId, dueAt })] : refunds
}

/**
 * Returns the tasks for a new payment. The first task opens the checkout if the request that created the payment did
 * not open it. The second task closes the checkout when the hold expires.
 */
export const makeCheckoutTasks = (
  payment: Payment,
  holdEndsAt: Instant.Instant,
  newId: () => string,
  openInMinutes = 1
): ReadonlyArray<Task.Task> => [
  Task.make({
    id: newId(),
    kind: "checkout.open",
    orgId: payment.orgId,
    subjectId: payment.id,
    dueAt: Instant.addMinutes(payment.madeAt, openInMinutes)
  }),
  makeCloseCheckoutTask(payment, holdEndsAt, newId)
]

/** Returns the task that closes a payment's checkout. */
export const makeCloseCheckoutTask = (
  { id: subjectId, orgId }: Payment,
  dueAt: Instant.Instant,
  newId: () => string
): Task.Task => Task.make({ id: newId(), kind: "checkout.close", orgId, subjectId, dueAt })

/** The IDs in a report about a payment. */
export interface ReportedPaymentIds {
  /** The provider's ID for the received money. */
  readonly intent: string
  /** The requested payment. Undefined if the caller knows only the booking. */
  readonly paymentId: string | undefined
}

/**
 * Finds the booking's payment that a report is about. The match is the payment with the reported intent, or else the
 * named payment, or else the latest unpaid payment. If no payment matches, or a different charge already paid the named
 * payment, returns a new payment. A booking paid twice therefore has two payments.
 */
export const matchPayment = (
  record: BookingRecord,
  payments: ReadonlyArray<Payment>,
  { intent, paymentId }: ReportedPaymentIds,
  options: { readonly id: string; readonly now: Instant.Instant }
): Payment => {
  const existing = payments.find((payment) => payment.status === "paid" && payment.intent === intent)
  if (existing !== undefined) return existing
  const candidate = payments.findLast(({ id, status }) =>
    paymentId === undefined ? status !== "paid" : id === paymentId
  )
  return candidate === undefined || candidate.status === "paid"
    ? makeNextPaymentAttempt(record, payments, { ...options, taker: candidate ?? payments.at(-1) ?? host })
    : candidate
}

/** Creates a booking's next payment, which the provider has not received yet. */
export const makeNextPaymentAttempt = (
  record: BookingRecord,
  payments: ReadonlyArray<Payment>,
  { id, now, taker: { connection, provider } }: {
    readonly id: string
    readonly now: Instant.Instant
    readonly taker: Pick<Payment, "provider" | "connection">
  }
): OpeningPayment => {
  const attempt = 1 + payments.reduce((most, payment) => Math.max(most, payment.attempt), 0)
  return {
    ...makePaymentRequest(record, { id, attempt, now, provider, connection }),
    status: "opening",
    session: null,
    mismatch: null
  }
}

/** The host application, which reports its own payments. */
const host = { provider: "host", connection: null }

/**
 * Builds the payment request for a booking's deposit or total. The request never changes afterward. The checkout
 * expires when the hold does, subject to the providers' limits.
 */
export const makePaymentRequest = (
  { booking, offering }: BookingRecord,
  options: PaymentAccount & Pick<PaymentRequest, "id" | "attempt"> & { readonly now: Instant.Instant }
): PaymentRequest => {
  const { attempt, connection, id, now, provider } = options
  return {
    id,
    orgId: booking.orgId,
    bookingId: booking.id,
    attempt,
    provider,
    connection,
    cents: computeDueNowCents(booking),
    currency: booking.currency,
    description: offering.name,
    madeAt: now,
    expiresAt: computeCheckoutExpiry(booking.status === "held" ? booking.expiresAt : now, now)
  }
}
