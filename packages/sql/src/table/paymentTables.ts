import {
  deriveRefundId,
  type Dispute,
  type LedgerEntry,
  type Payment,
  type PaymentConnection,
  type PaymentMismatch,
  type PaymentRequest,
  type Refund
} from "@trailbook/core/payment"
import type { ColumnRow } from "../Columns.ts"
import * as Table from "../Table.ts"

/** The fields that all payment states share. */
const common = Table.of<Omit<PaymentRequest, "connection"> & Pick<Payment, "session">>()({
  name: "payments",
  fields: {
    ...Table.orgKeyFields,
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
  refunds: "json",
  dispute: "text?",
  disputed_at: "instant?",
  dispute_cents: "integer?",
  mismatch_at: "instant?",
  mismatch_intent: "text?",
  mismatch_cents: "integer?",
  mismatch_currency: "text?"
} as const

type PaymentRow = ColumnRow<typeof columns>

const decode = (row: PaymentRow): Payment => {
  const status = row.status as Payment["status"]
  const payment = { ...common.decode(row), connection: row.connection_id, mismatch: toMismatch(row) }
  switch (status) {
    case "opening":
    case "expired":
    case "abandoned":
      return { ...payment, status }
    case "open":
      return { ...payment, status, session: requireValue(row.session), url: requireValue(row.url) }
    case "paid":
      return {
        ...payment,
        status,
        intent: requireValue(row.intent),
        paidAt: requireValue(row.paid_at),
        refunds: toRefunds(row),
        dispute: row.dispute === null ? null : {
          status: row.dispute as Dispute["status"],
          at: requireValue(row.disputed_at),
          ...(row.dispute_cents === null ? {} : { cents: row.dispute_cents })
        }
      }
  }
}

const toMismatch = (row: PaymentRow): PaymentMismatch | null =>
  row.mismatch_at === null ? null : {
    at: row.mismatch_at,
    intent: requireValue(row.mismatch_intent),
    cents: row.mismatch_cents,
    currency: row.mismatch_currency
  }

/**
 * Decodes the refunds. Earlier versions stored a single refund in columns, without an amount if it was a full refund.
 */
const toRefunds = (row: PaymentRow): ReadonlyArray<Refund> => {
  if (row.refunds !== "null") return JSON.parse(row.refunds)
  if (row.refund === "none") return []
  return [{
    id: deriveRefundId(row.id, 0),
    cents: row.refund_cents ?? row.cents,
    reason: null,
    createdAt: requireValue(row.refund_at),
    status: row.refund as Refund["status"],
    at: requireValue(row.refund_at),
    providerId: row.refund_id ?? row.refund_pending_id,
    error: row.refund_error,
    refusals: row.refund_refusals
  }]
}

const requireValue = <A>(value: A | null): A => {
  if (value === null) throw new Error("Invariant violated: payment without the fields of its status")
  return value
}

const noEarlierRefund = {
  refund: "none",
  refund_at: null,
  refund_cents: null,
  refund_id: null,
  refund_error: null,
  refund_pending_id: null,
  refund_refusals: 0
}

/** Encodes the columns that only some states use. */
const encodeState = (payment: Payment) => {
  const paidPayment = payment.status === "paid" ? payment : null
  return {
    status: payment.status,
    url: payment.status === "open" ? payment.url : null,
    intent: paidPayment?.intent ?? null,
    paid_at: paidPayment?.paidAt ?? null,
    ...noEarlierRefund,
    refunds: paidPayment?.refunds ?? [],
    dispute: paidPayment?.dispute?.status ?? null,
    disputed_at: paidPayment?.dispute?.at ?? null,
    dispute_cents: paidPayment?.dispute?.cents ?? null,
    mismatch_at: payment.mismatch?.at ?? null,
    mismatch_intent: payment.mismatch?.intent ?? null,
    mismatch_cents: payment.mismatch?.cents ?? null,
    mismatch_currency: payment.mismatch?.currency ?? null
  }
}

/** Stores all states of a payment in one table. */
export const paymentTable = Table.make({
  ...common,
  columns,
  decode,
  encode: (payment: Payment) => ({
    ...common.encode(payment),
    connection_id: payment.connection,
    ...encodeState(payment)
  })
})

export const paymentConnectionTable = Table.of<PaymentConnection>()({
  name: "payment_connections",
  fields: {
    ...Table.orgKeyFields,
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

export const ledgerTable = Table.of<LedgerEntry>()({
  name: "ledger_entries",
  fields: {
    ...Table.orgKeyFields,
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
