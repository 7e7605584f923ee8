import type { Recorder } from "../../actor/Recorder.ts"
import type * as Instant from "../../time/Instant.ts"
import type { RefundReason } from "../Payment.ts"

/** How money is received or returned at the desk. */
export const deskMethods = ["cash", "card", "transfer", "voucher", "other"] as const

export type DeskMethod = (typeof deskMethods)[number]

/** `online` is a payment through a provider. */
export const methods = ["online", ...deskMethods] as const

export const entryKinds = ["payment", "refund"] as const

/**
 * The status of an entry. Only the refund of an online payment is `pending` or `failed`; only an entry of the desk is
 * `void`.
 */
export const entryStatuses = ["pending", "done", "failed", "void"] as const

/** Money that a booking received or returned. An entry is never deleted; only its status changes. */
export interface LedgerEntry {
  readonly id: string
  readonly orgId: string
  readonly bookingId: string
  readonly kind: (typeof entryKinds)[number]
  readonly method: (typeof methods)[number]
  /** Positive, in the smallest unit of the currency. */
  readonly cents: number
  /** ISO 4217, lowercase. */
  readonly currency: string
  /** The online payment that a refund returns; null for other entries. */
  readonly refundOf: string | null
  readonly reason: RefundReason | null
  readonly status: (typeof entryStatuses)[number]
  readonly note: string
  /** The account of an online payment; null at the desk and if the host application takes the payment. */
  readonly connection: string | null
  readonly recordedBy: Recorder
  readonly createdAt: Instant.Instant
  readonly doneAt: Instant.Instant | null
}

/** The amount that an entry adds to the paid amount of its booking. A pending refund counts, because it is retried. */
export const paidBy = ({ cents, kind, status }: Pick<LedgerEntry, "cents" | "kind" | "status">): number =>
  kind === "payment"
    ? (status === "done" ? cents : 0)
    : status === "done" || status === "pending"
    ? -cents
    : 0
