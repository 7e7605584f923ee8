/**
 * The entries of online payments. They follow from the state of the payment and are written in the same transaction, so
 * the ledger contains all money of a booking.
 *
 * A payment has at most three entries: the money, its refund, and the refund that a dispute forces. The IDs of the
 * refunds derive from the ID of the payment (UUID version 8, RFC 9562 §5.8), so that writing them again replaces them.
 */
import * as Effect from "effect/Effect"
import type { Payment } from "../Payment.ts"
import { PaymentStore } from "../PaymentStore.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"
import { LedgerStore } from "./LedgerStore.ts"

/** Returns the entries of a payment; none unless money was paid. */
export const onlineEntries = (payment: Payment): ReadonlyArray<LedgerEntry> => {
  if (payment.status !== "paid" || payment.cents === 0) return []
  const { bookingId, cents, connection, currency, dispute, id, orgId, paidAt, provider, refund } = payment
  const common = {
    orgId,
    bookingId,
    method: "online",
    cents,
    currency,
    note: "",
    connection,
    recordedBy: { kind: "provider", id: null, name: provider }
  } as const
  const paid: LedgerEntry = {
    ...common,
    id,
    kind: "payment",
    refundOf: null,
    reason: null,
    status: "done",
    createdAt: paidAt,
    doneAt: paidAt
  }
  const returned = { ...common, kind: "refund", refundOf: id } as const
  const refunded: ReadonlyArray<LedgerEntry> = refund === null ? [] : [{
    ...returned,
    id: refundId(id),
    cents: refund.cents,
    reason: null,
    status: refund.status === "done" ? "done" : "pending",
    createdAt: refund.at,
    doneAt: refund.status === "done" ? refund.at : null
  }]
  // A full refund leaves nothing of the payment that a dispute could take.
  const restCents = cents - (refund?.cents ?? 0)
  const status = dispute === null || restCents === 0 ? "failed" : statusOfDispute[dispute.status]
  const disputed: ReadonlyArray<LedgerEntry> = dispute === null ? [] : [{
    ...returned,
    id: disputeId(id),
    cents: restCents === 0 ? cents : restCents,
    reason: "dispute",
    status,
    createdAt: dispute.at,
    doneAt: status === "done" ? dispute.at : null
  }]
  return [paid, ...refunded, ...disputed]
}

const statusOfDispute = { open: "pending", lost: "done", won: "failed" } as const

const versionAt = 14
const variantAt = 19

const replaceAt = (text: string, at: number, digit: string): string => text.slice(0, at) + digit + text.slice(at + 1)

const refundId = (paymentId: string): string => replaceAt(paymentId, versionAt, "8")

const disputeId = (paymentId: string): string =>
  replaceAt(refundId(paymentId), variantAt, nextVariant[paymentId.charAt(variantAt)] ?? "8")

const nextVariant: Readonly<Record<string, string>> = { 8: "9", 9: "a", a: "b", b: "8" }

/** Stores payments with their entries. */
export const makePutPayments = Effect.gen(function*() {
  const ledger = yield* LedgerStore
  const payments = yield* PaymentStore
  return (changed: ReadonlyArray<Payment>): Effect.Effect<void> => {
    const entries = changed.flatMap(onlineEntries)
    const put = changed.length === 0 ? Effect.void : payments.put(changed)
    return entries.length === 0 ? put : Effect.zipRight(put, ledger.put(entries))
  }
})
