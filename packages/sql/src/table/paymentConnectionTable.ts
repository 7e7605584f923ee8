import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import * as Fields from "../Fields.ts"

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
