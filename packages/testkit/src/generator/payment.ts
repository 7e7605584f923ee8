import { disputeStatuses, type Payment, type Refund } from "@trailbook/core/payment/Payment"
import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import * as FastCheck from "effect/FastCheck"
import { moment } from "./moment.ts"
import { text } from "./text.ts"

/** Text that can be longer than any likely truncation limit. */
const long = FastCheck.oneof(
  text(40),
  FastCheck.integer({ min: 250, max: 600 }).map((length) => "x".repeat(length) + "!")
)

const cents = FastCheck.nat({ max: Number.MAX_SAFE_INTEGER })

const refund: FastCheck.Arbitrary<Refund | null> = FastCheck.oneof(
  FastCheck.constant(null),
  FastCheck.record({
    status: FastCheck.constant("due" as const),
    at: moment,
    cents,
    pendingId: FastCheck.option(text(40))
  }),
  FastCheck.record({ status: FastCheck.constant("done" as const), at: moment, cents, id: text(40) }),
  FastCheck.record({ status: FastCheck.constant("refused" as const), at: moment, cents, error: long })
)

const session = FastCheck.option(long)

/** A payment without its IDs and its booking. */
export type PaymentContents = Payment extends infer One
  ? One extends Payment ? Omit<One, "id" | "orgId" | "bookingId" | "attempt"> : never
  : never

/** A payment in any state, without a booking. Its intent is unique to the booking. */
export const payment: FastCheck.Arbitrary<PaymentContents> = FastCheck.tuple(
  FastCheck.record({
    provider: FastCheck.constantFrom("stripe", "host"),
    connection: FastCheck.option(FastCheck.constantFrom("a", "b")),
    cents,
    currency: FastCheck.constantFrom("usd", "jpy"),
    description: long,
    madeAt: moment,
    expiresAt: moment,
    mismatch: FastCheck.option(FastCheck.record({
      at: moment,
      intent: long,
      cents: FastCheck.option(FastCheck.maxSafeNat()),
      currency: FastCheck.option(FastCheck.constantFrom("usd", "jpy"))
    }))
  }),
  FastCheck.oneof(
    FastCheck.record({
      status: FastCheck.constantFrom("opening" as const, "expired" as const, "abandoned" as const),
      session
    }),
    FastCheck.record({ status: FastCheck.constant("open" as const), session: long, url: long }),
    FastCheck.record({
      status: FastCheck.constant("paid" as const),
      session,
      intent: FastCheck.uuid(),
      paidAt: moment,
      refund,
      refusals: FastCheck.nat(9),
      dispute: FastCheck.option(FastCheck.record({ status: FastCheck.constantFrom(...disputeStatuses), at: moment }))
    })
  )
).map(([asked, state]) => ({ ...asked, ...state }))

/** A payment connection without an org. */
export const paymentConnection: FastCheck.Arbitrary<Omit<PaymentConnection, "id" | "orgId" | "disconnectedAt">> =
  FastCheck.record({
    provider: FastCheck.constantFrom("stripe", "other"),
    mode: FastCheck.constantFrom("live", "test"),
    accountId: text(40),
    name: text(120),
    sealedKey: long,
    sealedNoticeSecret: FastCheck.option(long),
    account: FastCheck.option(text(40)),
    watchId: FastCheck.option(text(40)),
    connectedAt: moment,
    lookedAt: moment,
    seenTo: moment
  })
