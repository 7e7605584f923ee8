import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const paymentConnectionTable = Table.make({
  name: "payment_connections",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    provider: "text",
    mode: "text",
    account_id: "text",
    name: "text",
    sealed_key: "text",
    sealed_notice_secret: "text?",
    account: "text?",
    watch_id: "text?",
    connected_at: "instant",
    disconnected_at: "instant?",
    looked_at: "instant",
    seen_to: "instant"
  },
  decode: (row): PaymentConnection => ({
    id: row.id,
    orgId: row.org_id,
    provider: row.provider,
    mode: row.mode as PaymentConnection["mode"],
    accountId: row.account_id,
    name: row.name,
    sealedKey: row.sealed_key,
    sealedNoticeSecret: row.sealed_notice_secret,
    account: row.account,
    watchId: row.watch_id,
    connectedAt: row.connected_at,
    disconnectedAt: row.disconnected_at,
    lookedAt: row.looked_at,
    seenTo: row.seen_to
  }),
  encode: (connection) => ({
    org_id: connection.orgId,
    id: connection.id,
    provider: connection.provider,
    mode: connection.mode,
    account_id: connection.accountId,
    name: connection.name,
    sealed_key: connection.sealedKey,
    sealed_notice_secret: connection.sealedNoticeSecret,
    account: connection.account,
    watch_id: connection.watchId,
    connected_at: connection.connectedAt,
    disconnected_at: connection.disconnectedAt,
    looked_at: connection.lookedAt,
    seen_to: connection.seenTo
  })
})
