import {
  formatDisputeNotification,
  formatFailedRefundNotification,
  formatPaymentMismatchNotification,
  type PaymentSubject
} from "@trailbook/core/handler/paymentTaskHandlers"
import type { PaidPayment, PaymentMismatch } from "@trailbook/core/payment/Payment"
import { describe, expect, it } from "vitest"
import { at, cancelledBooking, org, paidBooking as booking, record } from "../mail/bookings.ts"

const paidPayment: PaidPayment = {
  id: "0197a1b2-0000-7000-8000-000000000006",
  orgId: org.id,
  bookingId: booking.id,
  attempt: 1,
  provider: "stripe",
  connection: null,
  cents: 19_000,
  currency: "usd",
  description: "Half-day raft trip",
  madeAt: booking.createdAt,
  expiresAt: booking.startsAt,
  session: "cs_1",
  mismatch: null,
  status: "paid",
  intent: "pi_1",
  paidAt: booking.createdAt,
  refunds: [],
  dispute: null
}
const subject = (payment: Partial<PaidPayment>, of: PaymentSubject["record"]["booking"] = booking): PaymentSubject => ({
  payment: { ...paidPayment, ...payment },
  record: record(of),
  org
})

describe("disputeText", () => {
  const dispute = { status: "open", at: booking.createdAt } as const
  const evidence = (of: PaymentSubject["record"]["booking"], now: string) =>
    formatDisputeNotification(subject({ dispute }, of), at(now))?.rest[0]

  it("requests evidence that the trip took place only after it ended", () => {
    const start = "Respond at Stripe with evidence that the guest booked the trip"
    expect(evidence(booking, "2026-06-06T17:59Z")).toContain(`${start}. The bank`)
    expect(evidence(booking, "2026-06-06T18:00Z")).toContain(`${start} and that the trip took place. The bank`)
    expect(evidence(cancelledBooking, "2026-06-06T18:00Z")).toContain(`${start}. The bank`)
  })
})

describe("mismatchText", () => {
  const lead = (mismatch: Pick<PaymentMismatch, "cents" | "currency">) =>
    formatPaymentMismatchNotification(subject({ mismatch: { at: booking.createdAt, intent: "pi_2", ...mismatch } }))
      ?.lead

  it("names the cause of the mismatch", () => {
    expect(lead({ cents: 9500, currency: "usd" })).toBe("$95.00 was paid, but $190.00 was requested.")
    expect(lead({ cents: 19_000, currency: "EUR" })).toBe("€190.00 was paid, but $190.00 was requested.")
    expect(lead({ cents: null, currency: null })).toBe("An unknown amount was paid, but $190.00 was requested.")
    expect(lead({ cents: 19_000, currency: "USD" }))
      .toBe("$190.00 was paid through a checkout that was created for another payment.")
  })
})

describe("refundText", () => {
  const refund = {
    id: "refund-1",
    reason: "request",
    createdAt: booking.createdAt,
    status: "refused",
    at: booking.createdAt,
    cents: 19_000,
    providerId: null,
    error: "The balance is too low",
    refusals: 1
  } as const

  it("names Stripe, but calls every other provider 'the payment provider'", () => {
    expect(formatFailedRefundNotification(subject({ refunds: [refund] }))?.lead)
      .toBe("Stripe refused the $190.00 refund: The balance is too low.")
    const byHost = formatFailedRefundNotification(subject({ refunds: [refund], provider: "host" }))
    expect(byHost?.lead).toBe("Your payment provider refused the $190.00 refund: The balance is too low.")
    expect(byHost?.rest[0]).toContain("Add funds at your payment provider, or refund the payment there.")
  })
  it("states whether a failed refund will be retried", () => {
    const failedRefund = { ...refund, status: "failed", error: "The card is closed" } as const
    const text = formatFailedRefundNotification(subject({ refunds: [failedRefund] }))
    expect(text?.subject).toBe("Refund failed")
    expect(text?.lead).toBe("The $190.00 refund failed after Stripe sent it: The card is closed.")
    expect(text?.rest[0]).toContain("the amount counts as paid again")
    expect(formatFailedRefundNotification(subject({ refunds: [{ ...failedRefund, reason: "cancellation" }] }))?.rest[0])
      .toContain(
        "retried"
      )
  })
})
