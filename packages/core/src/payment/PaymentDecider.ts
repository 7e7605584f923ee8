/**
 * The state machine of one payment. It is pure: the command contains the current time and whether the booking keeps the
 * money.
 *
 * | state     | Opened         | Abandon   | Expire    | Capture                  |
 * |-----------|----------------|-----------|-----------|--------------------------|
 * | opening   | open           | abandoned | expired   | paid                     |
 * | open      | –              | –         | expired   | paid                     |
 * | expired   | session known  | –         | –         | paid                     |
 * | abandoned | session known  | –         | –         | paid                     |
 * | paid      | –              | –         | –         | –                        |
 *
 * | refund of a paid payment | Return | Accept  | Returned | Refuse  | Fail    |
 * |--------------------------|--------|---------|----------|---------|---------|
 * | none                     | due    | –       | –        | –       | –       |
 * | due                      | –      | pending | done     | refused | refused |
 * | refused                  | –      | pending | done     | counted | –       |
 * | done                     | –      | –       | more     | –       | refused |
 *
 * `Accept` and a definite `Refuse` contain the number of refusals at the time of their request. A late report about an
 * earlier request changes nothing.
 *
 * A mismatch and a dispute are recorded in every state that can have them. A lost dispute ends a refund, because the
 * bank has paid the guest.
 *
 * An expired or abandoned payment can still be paid, if the guest paid just before it closed or the provider reports
 * late. A capture is never undone. Every command can be repeated, and a late command from an earlier state changes
 * nothing.
 */
import * as Either from "effect/Either"
import * as Struct from "effect/Struct"
import type { Decider } from "../Decider.ts"
import type { Instant } from "../time/Instant.ts"
import type { Abandoned, Dispute, Expired, Mismatch, Open, Paid, Payment } from "./Payment.ts"

export type PaymentCommand =
  /** The provider created the checkout. */
  | { readonly _tag: "Opened"; readonly session: string; readonly url: string }
  /** The provider no longer accepts these parameters, so a new payment must be requested. */
  | { readonly _tag: "Abandon" }
  /** The checkout closed without payment. */
  | { readonly _tag: "Expire" }
  /** The provider received the money. `isKept` is true if the booking is confirmed and this payment pays for it. */
  | { readonly _tag: "Capture"; readonly now: Instant; readonly intent: string; readonly isKept: boolean }
  /** The payment, or this part of it, must be refunded. */
  | { readonly _tag: "Return"; readonly now: Instant; readonly cents: number }
  /** The provider accepted the refund under this ID and has not sent the money yet. */
  | { readonly _tag: "Accept"; readonly now: Instant; readonly id: string; readonly refusals: number }
  /** The refund was sent under this ID. `cents` is the sum of all refunds, if the provider reported it. */
  | { readonly _tag: "Returned"; readonly now: Instant; readonly id: string; readonly cents?: number }
  /**
   * The provider refused the refund. `refusals` is set if the refusal is definite and the next request needs a new key.
   */
  | { readonly _tag: "Refuse"; readonly now: Instant; readonly error: string; readonly refusals: number | null }
  /** A refund that the provider had accepted failed later, and the provider has the money again. */
  | { readonly _tag: "Fail"; readonly now: Instant; readonly error: string; readonly id: string }
  /** The guest's bank opened or decided a dispute. */
  | { readonly _tag: "Dispute"; readonly now: Instant; readonly status: Dispute["status"] }
  /** A checkout of this payment was paid with another amount, currency, or payment ID. */
  | { readonly _tag: "Mismatch"; readonly found: Mismatch }

export type PaymentEvent =
  | { readonly _tag: "payment.opened"; readonly session: string; readonly url: string }
  | { readonly _tag: "payment.abandoned" }
  | { readonly _tag: "payment.expired" }
  | { readonly _tag: "payment.captured"; readonly at: Instant; readonly intent: string; readonly isKept: boolean }
  | { readonly _tag: "refund.due"; readonly at: Instant; readonly cents: number }
  | { readonly _tag: "refund.accepted"; readonly at: Instant; readonly id: string }
  | { readonly _tag: "refund.done"; readonly at: Instant; readonly id: string; readonly cents: number }
  | { readonly _tag: "refund.refused"; readonly at: Instant; readonly error: string; readonly isDefinite: boolean }
  | { readonly _tag: "payment.disputed"; readonly at: Instant; readonly status: Dispute["status"] }
  | { readonly _tag: "payment.mismatched"; readonly found: Mismatch }

/** Commands are never refused, because each reports an external event or its consequence. */
type Refusals = { readonly [Tag in PaymentCommand["_tag"]]: never }

type Decisions = Decider<Payment, PaymentCommand, PaymentEvent, Refusals>

const nothing = Either.right([])

const decide: Decisions["decide"] = {
  Opened: (payment, { session, url }) =>
    payment.session !== null || payment.status === "paid"
      ? nothing
      : Either.right([{ _tag: "payment.opened", session, url }]),
  Abandon: ({ status }) => status === "opening" ? Either.right([{ _tag: "payment.abandoned" }]) : nothing,
  Expire: ({ status }) =>
    status === "opening" || status === "open" ? Either.right([{ _tag: "payment.expired" }]) : nothing,
  Capture: ({ status }, { intent, isKept, now: at }) =>
    status === "paid" ? nothing : Either.right([{ _tag: "payment.captured", at, intent, isKept }]),
  Return: (payment, { cents, now: at }) =>
    payment.status === "paid" && payment.refund === null ? Either.right([{ _tag: "refund.due", at, cents }]) : nothing,
  Accept: (payment, { id, now: at, refusals }) =>
    isOwed(payment) && payment.refusals === refusals && pendingIdOf(payment) === null
      ? Either.right([{ _tag: "refund.accepted", at, id }])
      : nothing,
  // A refund made at the provider can return more than the refund that was requested here.
  Returned: (payment, { cents = 0, id, now: at }) => {
    if (payment.status !== "paid" || payment.refund === null) return nothing
    const { cents: known } = payment.refund
    const returned = Math.min(payment.cents, Math.max(cents, known))
    return isOwed(payment) || returned > known
      ? Either.right([{ _tag: "refund.done", at, id, cents: returned }])
      : nothing
  },
  Refuse: (payment, { error, now: at, refusals }) => {
    if (!isOwed(payment) || pendingIdOf(payment) !== null) return nothing
    const isDefinite = refusals !== null
    return (isDefinite ? payment.refusals === refusals : payment.refund?.status === "due")
      ? Either.right([{ _tag: "refund.refused", at, error, isDefinite }])
      : nothing
  },
  Fail: (payment, { error, id, now: at }) =>
    payment.status === "paid" && (pendingIdOf(payment) === id || doneIdOf(payment) === id)
      ? Either.right([{ _tag: "refund.refused", at, error, isDefinite: true }])
      : nothing,
  Dispute: (payment, { now: at, status }) => {
    if (payment.status !== "paid" || !canFollow(payment.dispute, status)) return nothing
    const disputed: PaymentEvent = { _tag: "payment.disputed", at, status }
    return Either.right(
      status === "lost" && isOwed(payment)
        ? [disputed, { _tag: "refund.done", at, id: "dispute", cents: refundedBy(payment) }]
        : [disputed]
    )
  },
  Mismatch: ({ mismatch }, { found }) =>
    mismatch === null ? Either.right([{ _tag: "payment.mismatched", found }]) : nothing
}

/**
 * Returns whether a dispute can change to this status. A decision is final, even if the notification of the opening
 * arrives after it.
 */
export const canFollow = (dispute: Pick<Dispute, "status"> | null, status: Dispute["status"]): boolean =>
  dispute === null || (dispute.status === "open" && status !== "open")

const pendingIdOf = ({ refund }: Paid): string | null => refund?.status === "due" ? refund.pendingId : null
const doneIdOf = ({ refund }: Paid): string | null => refund?.status === "done" ? refund.id : null

/** Whether a refund is due or refused, and not yet done. */
export const isOwed = (payment: Payment): payment is Paid =>
  payment.status === "paid" && payment.refund !== null && payment.refund.status !== "done"

const evolve = (payment: Payment, event: PaymentEvent): Payment => {
  switch (event._tag) {
    case "payment.opened": {
      const { session, url } = event
      return payment.status === "opening"
        ? { ...common(payment), status: "open", session, url } satisfies Open
        : { ...payment, session }
    }
    case "payment.abandoned":
      return { ...common(payment), status: "abandoned" } satisfies Abandoned
    case "payment.expired":
      return { ...common(payment), status: "expired" } satisfies Expired
    case "payment.captured":
      return {
        ...common(payment),
        status: "paid",
        intent: event.intent,
        paidAt: event.at,
        refund: event.isKept ? null : { status: "due", at: event.at, cents: payment.cents, pendingId: null },
        refusals: 0,
        dispute: null
      } satisfies Paid
    case "refund.due":
      return payment.status === "paid"
        ? { ...payment, refund: { status: "due", at: event.at, cents: event.cents, pendingId: null } }
        : payment
    case "refund.accepted":
      return payment.status === "paid"
        ? { ...payment, refund: { status: "due", at: event.at, cents: refundedBy(payment), pendingId: event.id } }
        : payment
    case "refund.done":
      return payment.status === "paid"
        ? { ...payment, refund: { status: "done", at: event.at, cents: event.cents, id: event.id } }
        : payment
    case "refund.refused":
      return payment.status !== "paid" ? payment : {
        ...payment,
        refund: { status: "refused", at: event.at, cents: refundedBy(payment), error: event.error },
        refusals: payment.refusals + (event.isDefinite ? 1 : 0)
      }
    case "payment.disputed":
      return payment.status === "paid" ? { ...payment, dispute: { status: event.status, at: event.at } } : payment
    case "payment.mismatched":
      return { ...payment, mismatch: event.found }
  }
}

const refundedBy = ({ cents, refund }: Paid): number => refund?.cents ?? cents

/** The fields of all states. The checkout URL is kept only while the payment is open. */
const common = Struct.omit("status", "url", "intent", "paidAt", "refund", "refusals", "dispute")

export const paymentDecider: Decisions = { decide, evolve }
