import { recorderKinds } from "@trailbook/core/actor"
import {
  disputeStatuses,
  entryStatuses,
  type LedgerEntry,
  type Payment,
  type PaymentConnection,
  paymentMethods,
  type Refund,
  refundReasons,
  refundStatuses
} from "@trailbook/core/payment"
import * as FastCheck from "effect/FastCheck"
import { moment, momentOrNull } from "./moment.ts"
import { text } from "./text.ts"

/** Text that may be longer than any likely truncation limit. */
const longText = FastCheck.oneof(
  text(40),
  FastCheck.integer({ min: 250, max: 600 }).map((length) => "x".repeat(length) + "!")
)

const cents = FastCheck.nat({ max: Number.MAX_SAFE_INTEGER })

const refund: FastCheck.Arbitrary<Refund> = FastCheck.record({
  id: FastCheck.uuid(),
  cents,
  reason: FastCheck.constantFrom(null, "request", "cancellation", "overpayment", "provider"),
  createdAt: moment,
  status: FastCheck.constantFrom(...refundStatuses, "failed"),
  at: moment,
  providerId: FastCheck.option(text(40)),
  error: FastCheck.option(longText),
  refusals: FastCheck.nat(9)
})

const session = FastCheck.option(longText)

/** A payment without its IDs and attempt number. */
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
    description: longText,
    madeAt: moment,
    expiresAt: moment,
    mismatch: FastCheck.option(FastCheck.record({
      at: moment,
      intent: longText,
      cents: FastCheck.option(FastCheck.maxSafeNat()),
      currency: FastCheck.option(FastCheck.constantFrom("usd", "jpy"))
    }))
  }),
  FastCheck.oneof(
    FastCheck.record({
      status: FastCheck.constantFrom("opening" as const, "expired" as const, "abandoned" as const),
      session
    }),
    FastCheck.record({ status: FastCheck.constant("open" as const), session: longText, url: longText }),
    FastCheck.record({
      status: FastCheck.constant("paid" as const),
      session,
      intent: FastCheck.uuid(),
      paidAt: moment,
      refunds: FastCheck.array(refund, { maxLength: 3 }),
      dispute: FastCheck.option(FastCheck.record(
        { status: FastCheck.constantFrom(...disputeStatuses), at: moment, cents },
        { requiredKeys: ["status", "at"] }
      ))
    })
  )
).map(([request, state]) => ({ ...request, ...state }))

/** A payment connection without an org. */
export const paymentConnection: FastCheck.Arbitrary<Omit<PaymentConnection, "id" | "orgId" | "disconnectedAt">> =
  FastCheck.record({
    provider: FastCheck.constantFrom("stripe", "other"),
    mode: FastCheck.constantFrom("live", "test"),
    accountId: text(40),
    name: text(120),
    sealedKey: longText,
    sealedNoticeSecret: FastCheck.option(longText),
    account: FastCheck.option(text(40)),
    watchId: FastCheck.option(text(40)),
    connectedAt: moment,
    lookedAt: moment,
    seenTo: moment
  })

/** A ledger entry without its IDs. */
export const ledgerEntry: FastCheck.Arbitrary<Omit<LedgerEntry, "id" | "orgId" | "bookingId">> = FastCheck.tuple(
  FastCheck.record({
    cents: FastCheck.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    currency: FastCheck.constantFrom("usd", "jpy"),
    status: FastCheck.constantFrom(...entryStatuses),
    note: text(40),
    connection: FastCheck.option(FastCheck.constantFrom("a", "b")),
    recordedBy: FastCheck.record({
      kind: FastCheck.constantFrom(...recorderKinds),
      id: FastCheck.option(FastCheck.uuid()),
      name: text(40)
    }),
    createdAt: moment,
    doneAt: momentOrNull
  }),
  FastCheck.oneof(
    FastCheck.record({
      kind: FastCheck.constant("payment" as const),
      method: FastCheck.constantFrom(...paymentMethods),
      refundOf: FastCheck.constant(null),
      reason: FastCheck.constant(null)
    }),
    FastCheck.record({
      kind: FastCheck.constant("refund" as const),
      method: FastCheck.constant("online" as const),
      refundOf: FastCheck.option(FastCheck.uuid()),
      reason: FastCheck.option(FastCheck.constantFrom(...refundReasons))
    })
  )
).map(([common, kind]) => ({ ...common, ...kind }))
