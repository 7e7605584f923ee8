/**
 * The state machine for one payment. It is pure: commands contain the current time and the amount that the booking
 * keeps.
 *
 * | state     | Opened         | Abandon   | Expire    | Capture                  |
 * |-----------|----------------|-----------|-----------|--------------------------|
 * | opening   | open           | abandoned | expired   | paid                     |
 * | open      | –              | –         | expired   | paid                     |
 * | expired   | session known  | –         | –         | paid                     |
 * | abandoned | session known  | –         | –         | paid                     |
 * | paid      | –              | –         | –         | –                        |
 * | a refund | Accept  | Returned | Refuse  | Fail                      |
 * |----------|---------|----------|---------|---------------------------|
 * | due      | pending | done     | refused | refused, once pending     |
 * | refused  | pending | done     | counted | –                         |
 * | done     | –       | –        | –       | failed                    |
 * | failed   | –       | –        | –       | –                         |
 *
 * `Return` adds a refund of at most the amount that can still be refunded. `Find` compares the stored refunds with the
 * refunds at the provider. A refund made at the provider covers refunds that are due first, and any remainder becomes a
 * separate refund. A failed refund is replaced by a new one unless the booking may keep the amount, because the money
 * belongs to the guest.
 *
 * `Accept` and a definite `Refuse` carry the number of earlier refusals, counted when the refund was requested. A late
 * report about an earlier request changes nothing.
 *
 * Mismatches and disputes are recorded in every state where they can occur. A lost dispute ends the refunds that are
 * due, because the bank has already paid the guest.
 *
 * An expired or abandoned payment can still be paid if the guest paid just before the checkout closed or the provider
 * reports late. A capture is never undone. Every command can be repeated, and a late command from an earlier state
 * changes nothing.
 */
import * as Either from "effect/Either"
import * as Struct from "effect/Struct"
import type { Decider } from "../Decider.ts"
import type { Instant } from "../time/Instant.ts"
import {
  type AbandonedPayment,
  deriveRefundId,
  type Dispute,
  type ExpiredPayment,
  isRefundOwed,
  type OpenPayment,
  type PaidPayment,
  type Payment,
  type PaymentMismatch,
  type Refund,
  sumRefundedCents
} from "./Payment.ts"
import type { ProviderRefund } from "./PaymentProvider.ts"

export type PaymentCommand =
  /** The provider created the checkout. */
  | { readonly _tag: "Opened"; readonly session: string; readonly url: string }
  /** The provider no longer accepts these parameters, so a new payment must be requested. */
  | { readonly _tag: "Abandon" }
  /** The checkout closed without payment. */
  | { readonly _tag: "Expire" }
  /** The provider received the money. The booking keeps `keptCents`, and the rest is refunded. */
  | { readonly _tag: "Capture"; readonly now: Instant; readonly intent: string; readonly keptCents: number }
  /**
   * This part of the payment must be refunded. `count` is the number of refunds that the payment had when this was
   * decided. `id` is the refund ID that the caller chose.
   */
  | {
    readonly _tag: "Return"
    readonly now: Instant
    readonly cents: number
    readonly reason: Refund["reason"]
    readonly count: number
    readonly id?: string
  }
  /** The provider accepted the refund `id` under its own ID `providerId` and has not sent the money yet. */
  | (RefundCommand & { readonly _tag: "Accept"; readonly providerId: string; readonly refusals: number })
  /** The refund was sent. */
  | (RefundCommand & { readonly _tag: "Returned"; readonly providerId: string })
  /**
   * The provider refused the refund. `refusals` is set if the refusal is definite and the next request needs a new key.
   */
  | (RefundCommand & { readonly _tag: "Refuse"; readonly error: string; readonly refusals: number | null })
  /** A refund failed after the provider had accepted it, and the provider has the money again. */
  | (RefundCommand & { readonly _tag: "Fail"; readonly error: string; readonly providerId: string })
  /** The payment's refunds at the provider. */
  | { readonly _tag: "Find"; readonly now: Instant; readonly found: ReadonlyArray<ProviderRefund> }
  /** The guest's bank opened or decided a dispute. */
  | { readonly _tag: "Dispute"; readonly now: Instant; readonly status: Dispute["status"] }
  /** A checkout of this payment was paid with another amount, currency, or payment ID. */
  | { readonly _tag: "Mismatch"; readonly found: PaymentMismatch }

interface RefundCommand {
  readonly now: Instant
  readonly id: string
}

export type PaymentEvent =
  | { readonly _tag: "payment.opened"; readonly session: string; readonly url: string }
  | { readonly _tag: "payment.abandoned" }
  | { readonly _tag: "payment.expired" }
  | { readonly _tag: "payment.captured"; readonly at: Instant; readonly intent: string }
  /**
   * The refund after the change. `refund.replaced` means that less than the refund's amount was left. A smaller refund
   * follows, unless nothing was left.
   */
  | {
    readonly _tag: `refund.${"due" | "accepted" | "done" | "refused" | "failed" | "replaced" | "found"}`
    readonly refund: Refund
  }
  | {
    readonly _tag: "payment.disputed"
    readonly at: Instant
    readonly status: Dispute["status"]
    readonly cents: number
  }
  | { readonly _tag: "payment.mismatched"; readonly found: PaymentMismatch }

/** Commands are never refused, because each command reports an external event or its consequence. */
type Refusals = { readonly [Tag in PaymentCommand["_tag"]]: never }

type PaymentDecider = Decider<Payment, PaymentCommand, PaymentEvent, Refusals>

const noEvents = Either.right([])

const decide: PaymentDecider["decide"] = {
  Opened: (payment, { session, url }) =>
    payment.session !== null || payment.status === "paid"
      ? noEvents
      : Either.right([{ _tag: "payment.opened", session, url }]),
  Abandon: ({ status }) => status === "opening" ? Either.right([{ _tag: "payment.abandoned" }]) : noEvents,
  Expire: ({ status }) =>
    status === "opening" || status === "open" ? Either.right([{ _tag: "payment.expired" }]) : noEvents,
  Capture: (payment, { intent, keptCents, now: at }) => {
    if (payment.status === "paid") return noEvents
    const capture: PaymentEvent = { _tag: "payment.captured", at, intent }
    const surplusCents = payment.cents - keptCents
    return Either.right(
      surplusCents > 0 ? [capture, makeDueEvent(payment, 1, surplusCents, "overpayment", at)] : [capture]
    )
  },
  Return: (payment, { cents, count, id, now: at, reason }) => {
    if (payment.status !== "paid" || payment.refunds.length !== count) return noEvents
    const returnCents = Math.min(cents, payment.cents - sumRefundedCents(payment))
    return returnCents > 0 ? Either.right([makeDueEvent(payment, count + 1, returnCents, reason, at, id)]) : noEvents
  },
  Accept: (payment, { id, now: at, providerId, refusals }) =>
    decideRefund(
      payment,
      id,
      (refund) =>
        isRefundOwed(refund) && refund.refusals === refusals && refund.providerId === null
          ? [{ _tag: "refund.accepted", refund: { ...refund, status: "due", at, providerId } }]
          : []
    ),
  Returned: (payment, { id, now: at, providerId }) =>
    decideRefund(
      payment,
      id,
      (refund) =>
        isRefundOwed(refund) ? [{ _tag: "refund.done", refund: { ...refund, status: "done", at, providerId } }] : []
    ),
  Refuse: (payment, { error, id, now: at, refusals }) =>
    decideRefund(payment, id, (refund) => {
      if (!isRefundOwed(refund) || refund.providerId !== null) return []
      const isNew = refusals === null ? refund.status === "due" : refund.refusals === refusals
      return isNew ? [makeRefusedEvent(refund, error, at, refusals !== null)] : []
    }),
  Fail: (payment, { error, id, now: at, providerId }) =>
    decideRefund(
      payment,
      id,
      (refund, paidPayment) => refund.providerId === providerId ? failRefund(paidPayment, refund, error, at) : []
    ),
  Find: (payment, { found, now }) =>
    payment.status === "paid" ? Either.right(reconcileRefunds(payment, found, now)) : noEvents,
  Dispute: (payment, { now: at, status }) => {
    if (payment.status !== "paid" || !canChangeDisputeStatus(payment.dispute, status)) return noEvents
    const cents = payment.dispute?.cents ?? Math.max(0, payment.cents - sumRefundedCents(payment))
    const disputeEvent: PaymentEvent = { _tag: "payment.disputed", at, status, cents }
    const refundEvents = status !== "lost" ? [] : payment.refunds.filter(isRefundOwed).map((refund): PaymentEvent => ({
      _tag: "refund.done",
      refund: { ...refund, status: "done", at, providerId: disputeRefundId }
    }))
    return Either.right([disputeEvent, ...refundEvents])
  },
  Mismatch: ({ mismatch }, { found }) =>
    mismatch === null ? Either.right([{ _tag: "payment.mismatched", found }]) : noEvents
}

/**
 * Returns whether a dispute can change to this status. A decision is final, even if the notification that the dispute
 * was opened arrives later.
 */
export const canChangeDisputeStatus = (dispute: Pick<Dispute, "status"> | null, status: Dispute["status"]): boolean =>
  dispute === null || (dispute.status === "open" && status !== "open")

/** The provider ID of a refund that a lost dispute completed. */
const disputeRefundId = "dispute"

/** Decides the next state of a refund on a paid payment. */
const decideRefund = (
  payment: Payment,
  id: string,
  decideEvents: (refund: Refund, payment: PaidPayment) => ReadonlyArray<PaymentEvent>
) => {
  const refund = payment.status === "paid" ? payment.refunds.find((one) => one.id === id) : undefined
  return payment.status !== "paid" || refund === undefined ? noEvents : Either.right(decideEvents(refund, payment))
}

const makeDueEvent = (
  payment: Pick<Payment, "id">,
  number: number,
  cents: number,
  reason: Refund["reason"],
  at: Instant,
  id = deriveRefundId(payment.id, number)
) => ({
  _tag: "refund.due",
  refund: {
    id,
    cents,
    reason,
    createdAt: at,
    status: "due",
    at,
    providerId: null,
    error: null,
    refusals: 0
  }
} as const)

const makeRefusedEvent = (refund: Refund, error: string, at: Instant, isDefinite: boolean): PaymentEvent => ({
  _tag: "refund.refused",
  refund: {
    ...refund,
    status: "refused",
    at,
    providerId: null,
    error,
    refusals: refund.refusals + (isDefinite ? 1 : 0)
  }
})

/**
 * Fails a refund. A pending refund is requested again. A refund already sent becomes `failed`, and a new refund follows
 * unless the booking may keep the amount.
 */
const failRefund = (payment: PaidPayment, refund: Refund, error: string, at: Instant): ReadonlyArray<PaymentEvent> => {
  const { cents, reason, status } = refund
  if (status === "failed" || refund.providerId === null) return []
  if (status !== "done" && reason !== "provider") return [makeRefusedEvent(refund, error, at, true)]
  const failure: PaymentEvent = { _tag: "refund.failed", refund: { ...refund, status: "failed", at, error } }
  return reason === "provider" || reason === "request"
    ? [failure]
    : [failure, makeDueEvent(payment, payment.refunds.length + 1, cents, reason, at)]
}

const reconcileRefunds = (
  before: PaidPayment,
  foundRefunds: ReadonlyArray<ProviderRefund>,
  at: Instant
): ReadonlyArray<PaymentEvent> => {
  const events: Array<PaymentEvent> = []
  let payment = before
  const addEvents = (newEvents: ReadonlyArray<PaymentEvent>) => {
    events.push(...newEvents)
    payment = newEvents.reduce((state, event) => toPaid(evolve(state, event), state), payment)
  }
  const followStatus = (refund: Refund, { id: providerId, reason, status }: ProviderRefund) => {
    if (status === "failed") {
      return addEvents(failRefund(payment, refund, reason === "" ? refundFailedLaterMessage : reason, at))
    }
    if (!isRefundOwed(refund) || (status === "pending" && refund.providerId !== null)) return
    const nextRefund = { ...refund, status: status === "done" ? "done" as const : "due" as const, at, providerId }
    addEvents([{ _tag: status === "done" ? "refund.done" : "refund.accepted", refund: nextRefund }])
  }
  const foundIds = new Set(foundRefunds.map(({ id }) => id))
  /** Returns whether the refund is waiting for the provider, or is done but unknown to the provider. */
  const isOpen = (refund: Refund) =>
    isRefundOwed(refund)
      ? refund.providerId === null
      : refund.status === "done" && refund.providerId !== disputeRefundId && !foundIds.has(refund.providerId ?? "")
  for (const one of foundRefunds) {
    const matches = payment.refunds.filter(({ providerId }) => providerId === one.id)
    const sentRefund = payment.refunds.find((refund) =>
      refund.id === one.refundId && isRefundOwed(refund) && refund.providerId === null
    )
    if (matches.length > 0) { for (const refund of matches) followStatus(refund, one) }
    else if (one.status === "failed") continue
    else if (sentRefund !== undefined) followStatus(sentRefund, one)
    else {
      // The refund was made at the provider. It covers the open refunds first.
      let restCents = one.cents
      for (const refund of payment.refunds) {
        if (!isOpen(refund) || refund.cents > restCents) continue
        restCents -= refund.cents
        if (isRefundOwed(refund)) followStatus(refund, one)
        else addEvents([{ _tag: "refund.done", refund: { ...refund, providerId: one.id } }])
      }
      if (restCents > 0) {
        const { refund } = makeDueEvent(payment, payment.refunds.length + 1, restCents, "provider", at)
        const status = one.status === "done" ? "done" : "due"
        addEvents([{ _tag: "refund.found", refund: { ...refund, status, providerId: one.id } }])
      }
    }
  }
  // The provider refuses to refund more than the remaining amount, or responds that the payment was already refunded.
  for (const refund of payment.refunds) {
    const remainingCents = payment.cents - sumRefundedCents(payment) + refund.cents
    if (!isOpen(refund) || refund.cents <= remainingCents) continue
    addEvents([{ _tag: "refund.replaced", refund: { ...refund, status: "failed", at, error: replacedMessage } }])
    if (remainingCents > 0) {
      addEvents([makeDueEvent(payment, payment.refunds.length + 1, remainingCents, refund.reason, at)])
    }
  }
  return events
}

const toPaid = (payment: Payment, fallback: PaidPayment): PaidPayment => payment.status === "paid" ? payment : fallback

export const refundFailedLaterMessage = "The provider accepted the refund, but the refund failed later."
const replacedMessage = "Another refund was made at the provider, so less than this amount is left to refund."

const evolve = (payment: Payment, event: PaymentEvent): Payment => {
  switch (event._tag) {
    case "payment.opened": {
      const { session, url } = event
      return payment.status === "opening"
        ? { ...omitStatusFields(payment), status: "open", session, url } satisfies OpenPayment
        : { ...payment, session }
    }
    case "payment.abandoned":
      return { ...omitStatusFields(payment), status: "abandoned" } satisfies AbandonedPayment
    case "payment.expired":
      return { ...omitStatusFields(payment), status: "expired" } satisfies ExpiredPayment
    case "payment.captured":
      return {
        ...omitStatusFields(payment),
        status: "paid",
        intent: event.intent,
        paidAt: event.at,
        refunds: [],
        dispute: null
      } satisfies PaidPayment
    case "refund.due":
    case "refund.accepted":
    case "refund.done":
    case "refund.refused":
    case "refund.failed":
    case "refund.replaced":
    case "refund.found": {
      if (payment.status !== "paid") return payment
      const { refund } = event
      const isKnown = payment.refunds.some(({ id }) => id === refund.id)
      const refunds = isKnown
        ? payment.refunds.map((one) => one.id === refund.id ? refund : one)
        : [...payment.refunds, refund]
      return { ...payment, refunds }
    }
    case "payment.disputed":
      return payment.status === "paid"
        ? { ...payment, dispute: { status: event.status, at: event.at, cents: event.cents } }
        : payment
    case "payment.mismatched":
      return { ...payment, mismatch: event.found }
  }
}

/** Returns the fields that all states share. The checkout URL is kept only while the payment is open. */
const omitStatusFields = Struct.omit("status", "url", "intent", "paidAt", "refunds", "dispute")

export const paymentDecider: PaymentDecider = { decide, evolve }
