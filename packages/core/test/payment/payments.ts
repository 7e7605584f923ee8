import {
  computeCheckoutExpiry,
  deriveRefundId,
  disputeStatuses,
  type Payment,
  type Refund
} from "@trailbook/core/payment/Payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"

const base = Instant.make(Date.UTC(2027, 4, 1))

/** Instants in a small range, so that they often coincide. */
export const moment: FastCheck.Arbitrary<Instant.Instant> = FastCheck.integer({ min: -90, max: 90 })
  .map((minutes) => Instant.addMinutes(base, minutes))

/** A newly stored payment. */
export const openingPayment = (overrides: Partial<Payment> = {}): Payment => ({
  status: "opening",
  id: "payment-1",
  orgId: "org-1",
  bookingId: "booking-1",
  attempt: 1,
  provider: "stripe",
  connection: "connection-1",
  cents: 17_000,
  currency: "usd",
  description: "Half-day raft",
  madeAt: base,
  expiresAt: computeCheckoutExpiry(Instant.addMinutes(base, 30), base),
  session: null,
  mismatch: null,
  ...overrides
} as Payment)

const refund: FastCheck.Arbitrary<Refund> = FastCheck.tuple(
  FastCheck.record<Omit<Refund, "status" | "providerId">>({
    id: FastCheck.constant(""),
    cents: FastCheck.constantFrom(1000, 7000),
    reason: FastCheck.constantFrom("request", "cancellation", "overpayment"),
    createdAt: moment,
    at: moment,
    error: FastCheck.constantFrom(null, "no such card"),
    refusals: FastCheck.nat(2)
  }),
  FastCheck.oneof(
    FastCheck.record<Pick<Refund, "status" | "providerId">>({
      status: FastCheck.constantFrom("due", "refused"),
      providerId: FastCheck.constant(null)
    }),
    FastCheck.record<Pick<Refund, "status" | "providerId">>({
      status: FastCheck.constantFrom("due", "done", "failed"),
      providerId: FastCheck.constantFrom("re_1", "re_2")
    })
  )
).map(([one, state]) => ({ ...one, ...state }))

const session = FastCheck.constantFrom(null, "cs_1")

/** A payment in any state. */
export const payment: FastCheck.Arbitrary<Payment> = FastCheck.oneof(
  FastCheck.constant({ status: "opening", session: null }),
  FastCheck.constant({ status: "open", session: "cs_1", url: "https://pay.example/cs_1" }),
  FastCheck.record({ status: FastCheck.constantFrom("expired", "abandoned"), session }),
  FastCheck.record({
    status: FastCheck.constant("paid"),
    session,
    intent: FastCheck.constantFrom("pi_1", "pi_2"),
    paidAt: moment,
    refunds: FastCheck.array(refund, { maxLength: 2 }).map((all) =>
      all.map((one, at) => ({ ...one, id: deriveRefundId("payment-1", at + 1) }))
    ),
    dispute: FastCheck.option(FastCheck.record({ status: FastCheck.constantFrom(...disputeStatuses), at: moment }))
  })
).map((state) => openingPayment(state as Partial<Payment>))
