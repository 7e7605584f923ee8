import type { Recorder } from "../../actor/Recorder.ts"
import type * as Instant from "../../time/Instant.ts"
import type { RefundReason } from "../Payment.ts"

/** The payment methods at the desk. */
export const deskMethods = ["cash", "card", "transfer", "voucher", "other"] as const

export type DeskMethod = (typeof deskMethods)[number]

/** `online` means that the payment provider moves the money. */
export const paymentMethods = ["online", ...deskMethods] as const

export const entryKinds = ["payment", "refund"] as const

/** An entry's status. Only refunds for online payments are `pending` or `failed`. Only desk entries are `void`. */
export const entryStatuses = ["pending", "done", "failed", "void"] as const

/** A payment or refund for a booking. Entries are never deleted, and only their status changes. */
export interface LedgerEntry {
  readonly id: string
  readonly orgId: string
  readonly bookingId: string
  readonly kind: (typeof entryKinds)[number]
  readonly method: (typeof paymentMethods)[number]
  /** A positive amount in the currency's smallest unit. */
  readonly cents: number
  /** An ISO 4217 code in lowercase. */
  readonly currency: string
  /** The refunded online payment. Null for other entries. */
  readonly refundOf: string | null
  readonly reason: RefundReason | null
  readonly status: (typeof entryStatuses)[number]
  readonly note: string
  /** The account of an online payment. Null for a desk entry and for a payment that the host application takes. */
  readonly connection: string | null
  readonly recordedBy: Recorder
  readonly createdAt: Instant.Instant
  readonly doneAt: Instant.Instant | null
}

/** An entry, which is marked if its payment went to a test-mode account. */
export interface MarkedEntry extends LedgerEntry {
  readonly isTest?: boolean
}

/**
 * Returns the amount that an entry adds to its booking's paid amount. A pending refund counts, because it is retried.
 */
export const paidBy = ({ cents, kind, status }: Pick<LedgerEntry, "cents" | "kind" | "status">): number =>
  kind === "payment"
    ? (status === "done" ? cents : 0)
    : status === "done" || status === "pending"
    ? -cents
    : 0
