import type { Webhook } from "@trailbook/core/webhook/Webhook"
import * as Fields from "../Fields.ts"

/** The columns that outfitters see. The cursor and lease columns are written by the statements that use them. */
export const webhookTable = Fields.table<Webhook>()({
  name: "webhooks",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    url: "text",
    events: "json",
    active: "boolean",
    sealedSecret: "text",
    createdAt: "instant",
    lastStatus: "integer?",
    lastError: "text?",
    lastAttemptAt: "instant?"
  }
})
