import type { Webhook } from "@trailbook/core/webhook/Webhook"
import * as Fields from "../Fields.ts"

/**
 * What an outfitter knows of an endpoint. Where it stands in the log, and who
 * delivers to it, are columns that each statement names by itself.
 */
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
