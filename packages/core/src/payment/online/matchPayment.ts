/** Which payment of a booking a report is about. Pure. */
import type { BookingRecord } from "../../booking/BookingView.ts"
import type { Org } from "../../org/Org.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Opening, Payment } from "../Payment.ts"
import { makePaymentRequest } from "./makePaymentRequest.ts"

export interface PaymentReport {
  /** What the provider calls the money. */
  readonly intent: string
  /** The payment that it was asked for; undefined where whoever reports knows the booking only. */
  readonly paymentId: string | undefined
}

/**
 * The one that has this money already, else the one that is named, else the latest
 * that nobody has paid. Where there is none, or it has other money, this is a
 * payment of its own: a booking that is paid twice has two.
 */
export const matchPayment = (
  record: BookingRecord,
  payments: ReadonlyArray<Payment>,
  { intent, paymentId }: PaymentReport,
  made: { readonly id: string; readonly now: Instant; readonly org: Pick<Org, "currency"> }
): Payment => {
  const same = payments.find((payment) => payment.status === "paid" && payment.intent === intent)
  if (same !== undefined) return same
  const named = payments.findLast(({ id, status }) => paymentId === undefined ? status !== "paid" : id === paymentId)
  return named === undefined || named.status === "paid"
    ? makeNextAttempt(record, payments, { ...made, taker: named ?? payments.at(-1) ?? host })
    : named
}

/** Another payment of a booking, of which the provider has not been asked. */
export const makeNextAttempt = (
  record: BookingRecord,
  payments: ReadonlyArray<Payment>,
  { id, now, org, taker: { connection, provider } }: {
    readonly id: string
    readonly now: Instant
    readonly org: Pick<Org, "currency">
    readonly taker: Pick<Payment, "provider" | "connection">
  }
): Opening => {
  const attempt = 1 + payments.reduce((most, payment) => Math.max(most, payment.attempt), 0)
  return {
    ...makePaymentRequest(record, org, { id, attempt, now, provider, connection }),
    status: "opening",
    session: null,
    mismatch: null
  }
}

/** The program around us, which tells of what it took by itself. */
const host = { provider: "host", connection: null }
