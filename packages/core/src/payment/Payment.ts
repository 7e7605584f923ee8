import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import * as Instant from "../time/Instant.ts"

/**
 * The request to the provider. It is stored before the provider is called and never changes, because a provider rejects
 * a repeated idempotency key with different parameters.
 */
export interface PaymentRequest {
  readonly id: string
  readonly orgId: string
  readonly bookingId: string
  /** The attempt number, starting at 1. A new attempt starts only after the previous one has ended unpaid. */
  readonly attempt: number
  /** The provider, such as `stripe`. `host` stands for the host application. */
  readonly provider: string
  /** The account at the provider. Null if the host application takes the payment. */
  readonly connection: string | null
  /** The amount in the currency's smallest unit. */
  readonly cents: number
  /** The currency (ISO 4217, lowercase). */
  readonly currency: string
  /** The description that the guest sees at checkout. */
  readonly description: string
  readonly madeAt: Instant.Instant
  /** The time when the provider expires the checkout. See {@link computeCheckoutExpiry}. */
  readonly expiresAt: Instant.Instant
}

/** A payment's provider and the account at that provider. */
export type PaymentAccount = Pick<PaymentRequest, "provider" | "connection">

/** A reference to a checkout at its provider. */
export interface Checkout extends PaymentAccount {
  readonly orgId: string
  /** The provider's ID for the checkout. */
  readonly session: string
}

interface PaymentFields extends PaymentRequest {
  /** The provider's ID for the checkout. Null until the provider has responded. */
  readonly session: string | null
  /** The first paid checkout that did not match this request. Null if every paid checkout matched. */
  readonly mismatch: PaymentMismatch | null
}

/**
 * A checkout payment whose amount, currency, or payment ID differs from the request. It does not settle a booking and
 * is not refunded automatically. The outfitter must resolve the mismatch at the provider.
 */
export interface PaymentMismatch {
  readonly at: Instant.Instant
  readonly intent: string
  /** The paid amount in the smallest unit of `currency`. Null if the provider does not report it. */
  readonly cents: number | null
  readonly currency: string | null
}

/** The payment is stored. The request to the provider is running, or its outcome is unknown. */
export interface OpeningPayment extends PaymentFields {
  readonly status: "opening"
}

/** The guest can pay at `url`. */
export interface OpenPayment extends PaymentFields {
  readonly status: "open"
  readonly session: string
  readonly url: string
}

/** The provider received the money. */
export interface PaidPayment extends PaymentFields {
  readonly status: "paid"
  /** The provider's ID for the received money. */
  readonly intent: string
  readonly paidAt: Instant.Instant
  /** The refunds, oldest first. A refund is never removed. */
  readonly refunds: ReadonlyArray<Refund>
  /** The dispute. Null if the guest's bank has not disputed the payment. */
  readonly dispute: Dispute | null
}

/** The payment was closed unpaid, because the hold ended or the checkout expired at the provider. */
export interface ExpiredPayment extends PaymentFields {
  readonly status: "expired"
}

/** The payment was abandoned, because the provider no longer accepts its parameters. */
export interface AbandonedPayment extends PaymentFields {
  readonly status: "abandoned"
}

export type Payment = OpeningPayment | OpenPayment | PaidPayment | ExpiredPayment | AbandonedPayment

/** A full or partial refund of a payment. Only its status changes, so each refund remains an entry in the ledger. */
export interface Refund {
  /** The ID of the refund's ledger entry. See {@link deriveRefundId}. */
  readonly id: string
  readonly cents: number
  /** The reason for the refund. Null if an earlier version made the refund. */
  readonly reason: Exclude<RefundReason, "dispute"> | null
  readonly createdAt: Instant.Instant
  /**
   * `due`: requested and, if `providerId` is set, accepted by the provider. `refused`: the provider refused the last
   * request, and the refund is retried. `failed`: the refund failed after the provider had accepted it, and the money
   * counts as paid again.
   */
  readonly status: (typeof refundStatuses)[number] | "failed"
  /** The time when the status last changed. */
  readonly at: Instant.Instant
  /** The provider's ID. Null until the provider accepts the refund. */
  readonly providerId: string | null
  /** The reason for the last refusal or failure. Null if the refund was never refused and never failed. */
  readonly error: string | null
  /**
   * The number of definite refusals. After each refusal, the next request needs a new idempotency key. See
   * {@link getRefundIdempotencyKey}.
   */
  readonly refusals: number
}

export const refundStatuses = ["due", "done", "refused"] as const

/** The possible reasons for a refund. */
export const refundReasons = ["request", "cancellation", "overpayment", "dispute", "provider"] as const

export type RefundReason = (typeof refundReasons)[number]

/**
 * A dispute that the guest's bank opened. While it is `open`, the bank withholds the money. `won` returns the money to
 * the outfitter, and `lost` gives it to the guest.
 */
export interface Dispute {
  readonly status: (typeof disputeStatuses)[number]
  /** The time when the status last changed. */
  readonly at: Instant.Instant
  /** The disputed amount. Earlier versions omitted it if the entire unrefunded amount was disputed. */
  readonly cents?: number
}

export const disputeStatuses = ["open", "won", "lost"] as const

/**
 * Returns whether a dispute withholds the money or has given it to the guest. In either case, a refund would pay the
 * guest twice.
 */
export const isMoneyWithheld = (dispute: Pick<Dispute, "status"> | null): boolean =>
  dispute !== null && dispute.status !== "won"

/** Returns the total of the refunds that have not failed. */
export const sumRefundedCents = ({ refunds }: Pick<PaidPayment, "refunds">): number =>
  refunds.reduce((sum, { cents, status }) => status === "failed" ? sum : sum + cents, 0)

/** Returns the amount that a dispute withholds or has returned to the guest. */
export const computeWithheldCents = (
  { cents, dispute, refunds }: Pick<PaidPayment, "cents" | "dispute" | "refunds">
): number => isMoneyWithheld(dispute) ? dispute?.cents ?? Math.max(0, cents - sumRefundedCents({ refunds })) : 0

/**
 * Returns the amount that can still be refunded. It is 0 during a dispute, because the bank may return the entire
 * payment to the guest.
 */
export const computeRefundableCents = (payment: Payment): number =>
  payment.status !== "paid" || isMoneyWithheld(payment.dispute)
    ? 0
    : Math.max(0, payment.cents - sumRefundedCents(payment))

/** Returns whether a refund is due or refused and therefore still owed to the guest. */
export const isRefundOwed = ({ status }: Pick<Refund, "status">): boolean => status === "due" || status === "refused"

/**
 * Returns the ID of the payment's refund with the given number. The ID is derived from the payment's ID (UUID version
 * 8, RFC 9562 §5.8), so the decision needs no random value. The first refund from an earlier version is number 0.
 */
export const deriveRefundId = (paymentId: string, number: number): string => {
  const bits = Number.parseInt(paymentId.slice(15, 18), 16) ^ number
  return `${paymentId.slice(0, 14)}8${bits.toString(16).padStart(3, "0")}${paymentId.slice(18)}`
}

/** Returns whether an earlier version may have sent the first request for this refund. */
export const isRefundFromEarlierVersion = ({ id }: Pick<Payment, "id">, refund: Pick<Refund, "id">): boolean =>
  refund.id === deriveRefundId(id, 0)

/**
 * Returns the idempotency key for the next refund request. After a timeout or a server error, the key stays the same,
 * because the provider may have sent the money. After a definite refusal, a new key is needed, because the provider
 * repeats the stored refusal for every request with the old key.
 */
export const getRefundIdempotencyKey = (
  payment: Pick<Payment, "id">,
  refund: Pick<Refund, "id" | "refusals">
): string => {
  // Earlier versions used the payment's ID. With any other key, a refund whose response was lost would be sent a second
  // time.
  const { id } = isRefundFromEarlierVersion(payment, refund) ? payment : refund
  return refund.refusals === 0 ? id : `${id}:${refund.refusals + 1}`
}

/** Returns whether the guest can still pay at the checkout. */
export const isPayable = (payment: Payment): payment is OpeningPayment | OpenPayment =>
  payment.status === "opening" || payment.status === "open"

/**
 * Returns the time when the provider expires a checkout. The result is the hold's expiry, but at least 31 minutes and
 * at most 23 hours 59 minutes from now. Providers require an expiry 30 minutes to 24 hours after the request, so the
 * expiry of a 30-minute hold would always be too early. Trailbook closes the checkout earlier, when the hold expires.
 */
export const computeCheckoutExpiry = (hold: Instant.Instant, now: Instant.Instant): Instant.Instant =>
  Instant.make(Math.min(Math.max(hold, Instant.addMinutes(now, 31)), Instant.addMinutes(now, 24 * 60 - 1)))

/**
 * Stores payments. A payment references a booking in the same org. Attempt numbers are unique within a booking. Intents
 * of payments with a connection are unique per provider across all orgs. A write that violates these rules fails as a
 * defect and stores nothing.
 */
export class PaymentStore extends Context.Tag("@trailbook/core/PaymentStore")<
  PaymentStore,
  {
    /** Returns each payment once, sorted by ID, even if its key is repeated. Unknown keys are skipped. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /** Returns all payments for these bookings, sorted by booking and attempt. */
    readonly ofBookings: (bookings: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /**
     * Like `ofBookings`, but locks the payments until the transaction ends. The caller must lock the bookings first.
     */
    readonly lockOfBookings: (bookings: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /**
     * Finds the paid payment with this intent among the payments made through the org's connections. Excludes payments
     * that the host application took, because it handles its own disputes and its intents need not be unique.
     */
    readonly withIntent: (of: {
      readonly orgId: string
      readonly provider: string
      readonly intent: string
    }) => Effect.Effect<Option.Option<Payment>>
    /** Inserts or replaces payments by key. The keys must be distinct. */
    readonly put: (payments: ReadonlyArray<Payment>) => Effect.Effect<void>
  }
>() {}
