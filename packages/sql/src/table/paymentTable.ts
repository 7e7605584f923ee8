import type { Payment, Refund } from "@trailbook/core/payment/Payment"
import type { RowOf } from "../Columns.ts"
import * as Table from "../Table.ts"

const columns = {
  org_id: "text",
  id: "text",
  booking_id: "text",
  attempt: "integer",
  provider: "text",
  connection_id: "text?",
  cents: "integer",
  currency: "text",
  description: "text",
  made_at: "instant",
  expires_at: "instant",
  session: "text?",
  status: "text",
  url: "text?",
  intent: "text?",
  paid_at: "instant?",
  refund: "text",
  refund_at: "instant?",
  refund_id: "text?",
  refund_error: "text?",
  disputed_at: "instant?"
} as const

type PaymentRow = RowOf<typeof columns>

const common = (row: PaymentRow) => ({
  id: row.id,
  orgId: row.org_id,
  bookingId: row.booking_id,
  attempt: row.attempt,
  provider: row.provider,
  connection: row.connection_id,
  cents: row.cents,
  currency: row.currency,
  description: row.description,
  madeAt: row.made_at,
  expiresAt: row.expires_at,
  session: row.session
})

const decode = (row: PaymentRow): Payment => {
  const status = row.status as Payment["status"]
  switch (status) {
    case "opening":
    case "expired":
    case "abandoned":
      return { ...common(row), status }
    case "open":
      return { ...common(row), status, session: present(row.session), url: present(row.url) }
    case "paid":
      return {
        ...common(row),
        status,
        intent: present(row.intent),
        paidAt: present(row.paid_at),
        refund: refundOf(row),
        disputedAt: row.disputed_at
      }
  }
}

const refundOf = (row: PaymentRow): Refund | null => {
  const status = row.refund as Refund["status"] | "none"
  switch (status) {
    case "none":
      return null
    case "due":
      return { status, at: present(row.refund_at) }
    case "done":
      return { status, at: present(row.refund_at), id: present(row.refund_id) }
    case "refused":
      return { status, at: present(row.refund_at), error: present(row.refund_error) }
  }
}

const present = <A>(value: A | null): A => {
  if (value === null) throw new Error("A payment lacks what its status has, against the table's checks.")
  return value
}

/** The columns that only one of the states fills. */
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
    refund_id: refund?.status === "done" ? refund.id : null,
    refund_error: refund?.status === "refused" ? refund.error : null,
    disputed_at: paid?.disputedAt ?? null
  }
}

/**
 * One row for all states of a payment.
 *
 * @category tables
 */
export const paymentTable = Table.make({
  name: "payments",
  key: ["org_id", "id"],
  columns,
  decode,
  encode: (payment: Payment) => ({
    org_id: payment.orgId,
    id: payment.id,
    booking_id: payment.bookingId,
    attempt: payment.attempt,
    provider: payment.provider,
    connection_id: payment.connection,
    cents: payment.cents,
    currency: payment.currency,
    description: payment.description,
    made_at: payment.madeAt,
    expires_at: payment.expiresAt,
    session: payment.session,
    ...stateOf(payment)
  })
})
