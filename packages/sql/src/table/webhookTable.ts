import type { DeliveryFault, Webhook } from "@trailbook/core/webhook/Webhook"
import * as Table from "../Table.ts"

/**
 * What an outfitter knows of an endpoint. Where it stands in the log, and who
 * delivers to it, are columns that each statement names by itself.
 *
 * @category tables
 */
export const webhookTable = Table.make({
  name: "webhooks",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    url: "text",
    events: "json",
    active: "boolean",
    sealed_secret: "text",
    created_at: "instant",
    last_status: "integer?",
    last_error: "text?",
    last_attempt_at: "instant?"
  },
  decode: (row): Webhook => ({
    id: row.id,
    orgId: row.org_id,
    url: row.url,
    events: JSON.parse(row.events),
    active: Boolean(row.active),
    sealedSecret: row.sealed_secret,
    createdAt: row.created_at,
    lastStatus: row.last_status,
    lastError: row.last_error as DeliveryFault | null,
    lastAttemptAt: row.last_attempt_at
  }),
  encode: (webhook) => ({
    org_id: webhook.orgId,
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    active: webhook.active,
    sealed_secret: webhook.sealedSecret,
    created_at: webhook.createdAt,
    last_status: webhook.lastStatus,
    last_error: webhook.lastError,
    last_attempt_at: webhook.lastAttemptAt
  })
})
