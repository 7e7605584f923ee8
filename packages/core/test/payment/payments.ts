import { checkoutEnd, disputeStatuses, type Payment } from "@trailbook/core/payment/Payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"

const base = Instant.make(Date.UTC(2027, 4, 1))

/** A small range, so that instants collide. */
export const moment: FastCheck.Arbitrary<Instant.Instant> = FastCheck.integer({ min: -90, max: 90 })
  .map((minutes) => Instant.addMinutes(base, minutes))

/** A newly stored payment. */
export const opening = (given: Partial<Payment> = {}): Payment => ({
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
  expiresAt: checkoutEnd(Instant.addMinutes(base, 30), base),
  session: null,
  mismatch: null,
  ...given
} as Payment)

const refund = FastCheck.oneof(
  FastCheck.constant(null),
  FastCheck.record({
    status: FastCheck.constant("due" as const),
    at: moment,
    pendingId: FastCheck.constantFrom(null, "re_1", "re_2")
  }),
  FastCheck.record({ status: FastCheck.constant("done" as const), at: moment, id: FastCheck.constant("re_1") }),
  FastCheck.record({
    status: FastCheck.constant("refused" as const),
    at: moment,
    error: FastCheck.constant("no such card")
  })
)

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
    refund,
    refusals: FastCheck.nat(2),
    dispute: FastCheck.option(FastCheck.record({ status: FastCheck.constantFrom(...disputeStatuses), at: moment }))
  })
).map((state) => opening(state as Partial<Payment>))
