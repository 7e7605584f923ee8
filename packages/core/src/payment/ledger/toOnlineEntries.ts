/**
 * Derives an online payment's ledger entries from its state. The same transaction writes the payment and its entries,
 * so the ledger accounts for all of a booking's money.
 *
 * A payment has one entry for the received money, one per refund, and one for a dispute. Entry IDs are derived from the
 * payment's ID, so a second write replaces the entries. Only the entry stores the note and the actor of a staff refund,
 * because an erasure searches the entries' notes.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Booking } from "../../booking/Booking.ts"
import { formatAmount } from "../../money/Currency.ts"
import { notFound, type Refusal, refuse } from "../../Refusal.ts"
import type { Instant } from "../../time/Instant.ts"
import { type PaymentChange, refundFromPayments } from "../online/paymentChanges.ts"
import {
  computeRefundableCents,
  deriveRefundId,
  isRefundOwed,
  type Payment,
  PaymentStore,
  sumRefundedCents
} from "../Payment.ts"
import { findTestAccountIds, PaymentConnectionStore } from "../PaymentConnection.ts"
import type { DeskEntryInput } from "./deskEntry.ts"
import { type LedgerEntry, type LedgerEntryWithMode, LedgerStore } from "./LedgerEntry.ts"

/** Returns the entries for a payment. An unpaid payment has no entries. */
export const toOnlineEntries = (payment: Payment): ReadonlyArray<LedgerEntry> => {
  if (payment.status !== "paid" || payment.cents === 0) return []
  const { bookingId, cents, connection, currency, dispute, id, orgId, paidAt, provider, refunds } = payment
  const commonFields = {
    orgId,
    bookingId,
    method: "online",
    cents,
    currency,
    note: "",
    connection,
    recordedBy: { kind: "provider", id: null, name: provider }
  } as const
  const paymentEntry: LedgerEntry = {
    ...commonFields,
    id,
    kind: "payment",
    refundOf: null,
    reason: null,
    status: "done",
    createdAt: paidAt,
    doneAt: paidAt
  }
  const refundFields = { ...commonFields, kind: "refund", refundOf: id } as const
  const refundEntries = refunds.map((refund): LedgerEntry => ({
    ...refundFields,
    id: refund.id,
    cents: refund.cents,
    reason: refund.reason,
    status: refund.status === "failed" ? "failed" : isRefundOwed(refund) ? "pending" : "done",
    createdAt: refund.createdAt,
    doneAt: refund.status === "done" ? refund.at : null
  }))
  // After a full refund, a dispute cannot take any more money.
  const restCents = dispute?.cents ?? Math.max(0, cents - sumRefundedCents(payment))
  const status = dispute === null || restCents === 0 ? "failed" : entryStatuses[dispute.status]
  const disputeEntries: ReadonlyArray<LedgerEntry> = dispute === null ? [] : [{
    ...refundFields,
    id: makeDisputeId(id),
    cents: restCents === 0 ? cents : restCents,
    reason: "dispute",
    status,
    createdAt: dispute.at,
    doneAt: status === "done" ? dispute.at : null
  }]
  return [paymentEntry, ...refundEntries, ...disputeEntries]
}

const entryStatuses = { open: "pending", lost: "done", won: "failed" } as const

const variantIndex = 19

const makeDisputeId = (paymentId: string): string => {
  const id = deriveRefundId(paymentId, 0)
  return id.slice(0, variantIndex) + (nextVariant[id.charAt(variantIndex)] ?? "8") + id.slice(variantIndex + 1)
}

const nextVariant: Readonly<Record<string, string>> = { 8: "9", 9: "a", a: "b", b: "8" }

/** Returns the ID of the request's entry at this index. */
export const deriveEntryId = (id: string, index: number): string => index === 0 ? id : deriveRefundId(id, index)

/**
 * Decides the refunds for one online payment or for all online payments, newest first. Returns one entry per refunded
 * payment.
 */
export const decideOnlineRefund = (
  payments: ReadonlyArray<Payment>,
  { currency }: Pick<Booking, "currency">,
  { money, paymentId }: { readonly money: Omit<DeskEntryInput, "method">; readonly paymentId?: string | undefined },
  now: Instant
): Either.Either<
  { readonly changes: ReadonlyArray<PaymentChange>; readonly entries: ReadonlyArray<LedgerEntry> },
  Refusal<"not_found"> | Refusal<"amount_too_large">
> => {
  const { cents, id, note, recordedBy } = money
  const sourcePayments = payments.filter((payment) => paymentId === undefined || payment.id === paymentId)
  if (paymentId !== undefined && sourcePayments.length === 0) return Either.left(notFound("payment", paymentId))
  const availableCents = sourcePayments.reduce((sum, payment) => sum + computeRefundableCents(payment), 0)
  if (cents > availableCents) {
    const availableText = formatAmount(availableCents, currency)
    return Either.left(
      refuse(
        "amount_too_large",
        `amount_cents: must be at most ${availableText}, the amount that can be refunded online.`
      )
    )
  }
  const changes = refundFromPayments(sourcePayments, cents, "request", now, (index) => deriveEntryId(id, index))
  const newIds = new Set(changes.map((_, index) => deriveEntryId(id, index)))
  const entries = changes.flatMap(({ state }) => toOnlineEntries(state)).filter((entry) => newIds.has(entry.id))
  return Either.right({ changes, entries: entries.map((entry) => ({ ...entry, note, recordedBy })) })
}

/** Marks entries from accounts in test mode. Entries from the desk and the host application have no account. */
export const makeMarkTestEntries = Effect.map(
  PaymentConnectionStore,
  (connections) =>
  (orgId: string, entries: ReadonlyArray<LedgerEntry>): Effect.Effect<ReadonlyArray<LedgerEntryWithMode>> =>
    entries.every(({ connection }) => connection === null)
      ? Effect.succeed(entries)
      : Effect.map(connections.list(orgId), (accounts) => {
        const testConnections = new Set<string | null>(findTestAccountIds(accounts))
        return entries.map((entry) => ({ ...entry, isTest: testConnections.has(entry.connection) }))
      })
)

/** Stores payments with their entries. */
export const makePutPayments = Effect.gen(function*() {
  const ledger = yield* LedgerStore
  const payments = yield* PaymentStore
  const withStoredNote = (entry: LedgerEntry) =>
    entry.reason !== "request"
      ? Effect.succeed(entry)
      : Effect.map(
        ledger.find(entry),
        Option.match({
          onNone: () => entry,
          onSome: ({ note, recordedBy }) => ({ ...entry, note, recordedBy })
        })
      )
  return (changedPayments: ReadonlyArray<Payment>): Effect.Effect<void> =>
    Effect.gen(function*() {
      if (changedPayments.length > 0) yield* payments.put(changedPayments)
      const entries = yield* Effect.forEach(changedPayments.flatMap(toOnlineEntries), withStoredNote)
      if (entries.length > 0) yield* ledger.put(entries)
    })
})
