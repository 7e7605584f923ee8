import type { LedgerEntry } from "@trailbook/core/payment/ledger/LedgerEntry"
import type { Dispute, Mismatch, Payment, PaymentRequest, Refund } from "@trailbook/core/payment/Payment"
import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import type { ColumnRow } from "../Columns.ts"
import * as Fields from "../Fields.ts"
import * as Table from "../Table.ts"

/** The fields that all states share. */
const common = Fields.table<Omit<PaymentRequest, "connection"> & Pick<Payment, "session">>()({
  name: "payments",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    bookingId: "text",
    attempt: "integer",
    provider: "text",
    cents: "integer",
    currency: "text",
    description: "text",
    madeAt: "instant",
    expiresAt: "instant",
    session: "text?"
  }
})

const columns = {
  ...common.columns,
  connection_id: "text?",
  status: "text",
  url: "text?",
  intent: "text?",
  paid_at: "instant?",
  refund: "text",
  refund_at: "instant?",
  refund_cents: "integer?",
  refund_id: "text?",
  refund_error: "text?",
  refund_pending_id: "text?",
  refund_refusals: "integer",
  dispute: "text?",
  disputed_at: "instant?",
  mismatch_at: "instant?",
  mismatch_intent: "text?",
  mismatch_cents: "integer?",
  mismatch_currency: "text?"
} as const

type PaymentRow = ColumnRow<typeof columns>

const decode = (row: PaymentRow): Payment => {
  const status = row.status as Payment["status"]
  const asked = { ...common.decode(row), connection: row.connection_id, mismatch: mismatchOf(row) }
  switch (status) {
    case "opening":
    case "expired":
    case "abandoned":
      return { ...asked, status }
    case "open":
      return { ...asked, status, session: present(row.session), url: present(row.url) }
    case "paid":
      return {
        ...asked,
        status,
        intent: present(row.intent),
        paidAt: present(row.paid_at),
        refund: refundOf(row),
        refusals: row.refund_refusals,
        dispute: row.dispute === null
          ? null
          : { status: row.dispute as Dispute["status"], at: present(row.disputed_at) }
      }
  }
}

const mismatchOf = (row: PaymentRow): Mismatch | null =>
  row.mismatch_at === null ? null : {
    at: row.mismatch_at,
    intent: present(row.mismatch_intent),
    cents: row.mismatch_cents,
    currency: row.mismatch_currency
  }

const refundOf = (row: PaymentRow): Refund | null => {
  const status = row.refund as Refund["status"] | "none"
  // A refund from an earlier version stores no amount and is always a full refund.
  const cents = row.refund_cents ?? row.cents
  switch (status) {
    case "none":
      return null
    case "due":
      return { status, at: present(row.refund_at), cents, pendingId: row.refund_pending_id }
    case "done":
      return { status, at: present(row.refund_at), cents, id: present(row.refund_id) }
    case "refused":
      return { status, at: present(row.refund_at), cents, error: present(row.refund_error) }
  }
}

const present = <A>(value: A | null): A => {
  if (value === null) throw new Error("Invariant violated: payment without the fields of its status")
  return value
}

/** The columns that only some states use. */
const stateOf = (payment: Payment) => {
  const paid = payment.status === "paid" ? payment : null
  const refund = paid?.refund ?? null
  return {
    status: payment.status,
    url: payment.status === "open" ? payment.url : null,
    intent: paid?.intent ?? null,
    paid_at: paid?.paidAt ?? null,
    refund: refund?.status ?? "none",
    refund_at: refund?.at ?? null,
    refund_cents: refund?.cents ?? null,
    refund_id: refund?.status === "done" ? refund.id : null,
    refund_error: refund?.status === "refused" ? refund.error : null,
    refund_pending_id: refund?.status === "due" ? refund.pendingId : null,
    refund_refusals: paid?.refusals ?? 0,
    dispute: paid?.dispute?.status ?? null,
    disputed_at: paid?.dispute?.at ?? null,
    mismatch_at: payment.mismatch?.at ?? null,
    mismatch_intent: payment.mismatch?.intent ?? null,
    mismatch_cents: payment.mismatch?.cents ?? null,
    mismatch_currency: payment.mismatch?.currency ?? null
  }
}

/** One table for all states of a payment. */
export const paymentTable = Table.make({
  ...common,
  columns,
  decode,
  encode: (payment: Payment) => ({
    ...common.encode(payment),
    connection_id: payment.connection,
    ...stateOf(payment)
  })
})

export const paymentConnectionTable = Fields.table<PaymentConnection>()({
  name: "payment_connections",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    provider: "text",
    mode: "text",
    accountId: "text",
    name: "text",
    sealedKey: "text",
    sealedNoticeSecret: "text?",
    account: "text?",
    watchId: "text?",
    connectedAt: "instant",
    disconnectedAt: "instant?",
    lookedAt: "instant",
    seenTo: "instant"
  }
})

export const ledgerTable = Fields.table<LedgerEntry>()({
  name: "ledger_entries",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    bookingId: "text",
    kind: "text",
    method: "text",
    cents: "integer",
    currency: "text",
    refundOf: "text?",
    reason: "text?",
    status: "text",
    note: "text",
    connection: "text?",
    recordedBy: "json",
    createdAt: "instant",
    doneAt: "instant?"
  }
})
