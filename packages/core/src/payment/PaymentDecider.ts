/**
 * What may happen to one payment. Pure: the moment, and whether the booking keeps
 * the money, arrive as facts in the command.
 *
 * | state     | Opened         | Abandon   | Expire    | Capture                  |
 * |-----------|----------------|-----------|-----------|--------------------------|
 * | opening   | open           | abandoned | expired   | paid                     |
 * | open      | –              | –         | expired   | paid                     |
 * | expired   | session known  | –         | –         | paid                     |
 * | abandoned | session known  | –         | –         | paid                     |
 * | paid      | –              | –         | –         | –                        |
 *
 * | of a paid one | Return | Returned | Refuse  | Dispute |
 * |---------------|--------|----------|---------|---------|
 * | no refund     | due    | –        | –       | marked  |
 * | due           | –      | done     | refused | marked  |
 * | refused       | –      | done     | –       | marked  |
 * | done          | –      | –        | –       | marked  |
 *
 * A payment that has ended may be paid all the same: the guest was quicker, or the
 * provider slower. Money that arrived is never unlearned. Every command may be
 * repeated, and whoever comes late with an old one changes nothing.
 */
import * as Either from "effect/Either"
import * as Struct from "effect/Struct"
import type { Decider } from "../Decider.ts"
import type { Instant } from "../time/Instant.ts"
import type { Abandoned, Expired, Open, Paid, Payment } from "./Payment.ts"

export type PaymentCommand =
  /** The provider has made the checkout. */
  | { readonly _tag: "Opened"; readonly session: string; readonly url: string }
  /** The provider no longer takes these parameters: another payment has to be asked for. */
  | { readonly _tag: "Abandon" }
  /** The checkout is closed, and nothing was paid. */
  | { readonly _tag: "Expire" }
  /** The provider has the money. `isKept` says whether the booking stands and this pays for it. */
  | { readonly _tag: "Capture"; readonly now: Instant; readonly intent: string; readonly isKept: boolean }
  /** The money is to go back. */
  | { readonly _tag: "Return"; readonly now: Instant }
  /** It has gone back, under this id. */
  | { readonly _tag: "Returned"; readonly now: Instant; readonly id: string }
  /** The provider refuses to give it back; it is asked again. */
  | { readonly _tag: "Refuse"; readonly now: Instant; readonly error: string }
  /** The guest's bank wants it back. */
  | { readonly _tag: "Dispute"; readonly now: Instant }

export type PaymentEvent =
  | { readonly _tag: "payment.opened"; readonly session: string; readonly url: string }
  | { readonly _tag: "payment.abandoned" }
  | { readonly _tag: "payment.expired" }
  | { readonly _tag: "payment.captured"; readonly at: Instant; readonly intent: string; readonly isKept: boolean }
  | { readonly _tag: "refund.due"; readonly at: Instant }
  | { readonly _tag: "refund.done"; readonly at: Instant; readonly id: string }
  | { readonly _tag: "refund.refused"; readonly at: Instant; readonly error: string }
  | { readonly _tag: "payment.disputed"; readonly at: Instant }

/** No command is refused: each reports what has happened outside, or what follows from it. */
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
  Return: (payment, { now: at }) =>
    payment.status === "paid" && payment.refund === null ? Either.right([{ _tag: "refund.due", at }]) : nothing,
  Returned: (payment, { id, now: at }) => isOwed(payment) ? Either.right([{ _tag: "refund.done", at, id }]) : nothing,
  Refuse: (payment, { error, now: at }) =>
    payment.status === "paid" && payment.refund?.status === "due"
      ? Either.right([{ _tag: "refund.refused", at, error }])
      : nothing,
  Dispute: (payment, { now: at }) =>
    payment.status === "paid" && payment.disputedAt === null
      ? Either.right([{ _tag: "payment.disputed", at }])
      : nothing
}

/**
 * Whether money has to go back that has not.
 *
 * @category deciding
 */
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
        refund: event.isKept ? null : { status: "due", at: event.at },
        disputedAt: null
      } satisfies Paid
    case "refund.due":
      return returning(payment, { status: "due", at: event.at })
    case "refund.done":
      return returning(payment, { status: "done", at: event.at, id: event.id })
    case "refund.refused":
      return returning(payment, { status: "refused", at: event.at, error: event.error })
    case "payment.disputed":
      return payment.status === "paid" ? { ...payment, disputedAt: event.at } : payment
  }
}

const returning = (payment: Payment, refund: Paid["refund"]): Payment =>
  payment.status === "paid" ? { ...payment, refund } : payment

/** What every state has; an address to pay at does not outlive its state. */
const common = Struct.omit("status", "url", "intent", "paidAt", "refund", "disputedAt")

/**
 * @category deciding
 */
export const paymentDecider: Decisions = { decide, evolve }
