import * as Either from "effect/Either"
import type { Recorder } from "../../actor/Actor.ts"
import { computeBalance } from "../../booking/balance.ts"
import { type Booking, withUpdatedAt } from "../../booking/Booking.ts"
import { formatAmount } from "../../money/Currency.ts"
import { type Refusal, refuse } from "../../Refusal.ts"
import type { Instant } from "../../time/Instant.ts"
import { computePaidCents, type DeskMethod, type LedgerEntry, makePaymentEvent } from "./LedgerEntry.ts"

/** A payment or refund at the desk. */
export interface DeskEntryInput {
  readonly id: string
  readonly method: DeskMethod
  readonly cents: number
  readonly note: string
  readonly recordedBy: Recorder
}

/** The changed booking, the changed entry, and the event for the change. */
export interface DeskEntryChange {
  readonly booking: Booking
  readonly entry: LedgerEntry
  readonly event: ReturnType<typeof makePaymentEvent>
}

const addDeskEntry = (
  kind: LedgerEntry["kind"],
  before: Booking,
  money: DeskEntryInput,
  now: Instant
): DeskEntryChange => {
  const entry: LedgerEntry = {
    ...money,
    orgId: before.orgId,
    bookingId: before.id,
    kind,
    currency: before.currency,
    refundOf: null,
    reason: kind === "refund" ? "request" : null,
    status: "done",
    connection: null,
    createdAt: now,
    doneAt: now
  }
  return changeDeskEntry("payment.created", before, entry, computePaidCents(entry), now)
}

/** Replaces an entry, and adds `addedCents` to the amount received at the desk for the booking. */
export const changeDeskEntry = (
  type: Parameters<typeof makePaymentEvent>[0],
  before: Booking,
  entry: LedgerEntry,
  addedCents: number,
  now: Instant
): DeskEntryChange => {
  const booking = { ...withUpdatedAt(before, now), deskCents: before.deskCents + addedCents }
  return { booking, entry, event: makePaymentEvent(type, entry, booking, now) }
}

/** Decides a payment for a confirmed booking. The limit is the amount due, unless `allowsOverpayment` is true. */
export const decideDeskPayment = (
  booking: Booking,
  money: DeskEntryInput,
  allowsOverpayment: boolean,
  now: Instant
): Either.Either<DeskEntryChange, Refusal<"amount_too_large">> => {
  const { dueCents } = computeBalance(booking)
  return money.cents > dueCents && !allowsOverpayment
    ? Either.left(refuse(
      "amount_too_large",
      `amount_cents: must be at most ${formatAmount(dueCents, booking.currency)}, the amount due. ` +
        "To record more, set allow_overpayment to true."
    ))
    : Either.right(addDeskEntry("payment", booking, money, now))
}

/** Decides a refund. The limit is the amount received at the desk for the booking. */
export const decideDeskRefund = (
  booking: Booking,
  money: DeskEntryInput,
  now: Instant
): Either.Either<DeskEntryChange, Refusal<"amount_too_large">> => {
  const { currency, deskCents } = booking
  return money.cents > deskCents
    ? Either.left(
      refuse(
        "amount_too_large",
        `amount_cents: must be at most ${formatAmount(deskCents, currency)}, the amount received at the desk.`
      )
    )
    : Either.right(addDeskEntry("refund", booking, money, now))
}
