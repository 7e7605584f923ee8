/** A report about a payment. */
import { computeDueNowCents } from "../../booking/balance.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import type { Instant } from "../../time/Instant.ts"
import {
  computeCheckoutEnd,
  type OpeningPayment,
  type Payment,
  type PaymentAccount,
  type PaymentRequest
} from "../Payment.ts"

export interface PaymentReport {
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
  { intent, paymentId }: PaymentReport,
  options: { readonly id: string; readonly now: Instant }
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
    readonly now: Instant
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
  options: PaymentAccount & Pick<PaymentRequest, "id" | "attempt"> & { readonly now: Instant }
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
    expiresAt: computeCheckoutEnd(booking.status === "held" ? booking.expiresAt : now, now)
  }
}
