/**
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import { Id, Integer, Timestamp } from "../wire/View.ts"
import { deliveryFaults, type Webhook } from "./Webhook.ts"

/**
 * A webhook endpoint on the wire (§2.13). Its secret is shown once, when it is
 * made.
 *
 * @since 0.1.0
 * @category schemas
 */
export const WebhookView = Schema.Struct({
  id: Id,
  url: Schema.String,
  events: Schema.Array(Schema.String),
  active: Schema.Boolean,
  last_status: Schema.NullOr(Integer),
  last_error: Schema.NullOr(Schema.Literal(...deliveryFaults)),
  last_attempt_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
}).annotations({ identifier: "Webhook" })
export type WebhookView = typeof WebhookView.Type

/**
 * @since 0.1.0
 * @category converting
 */
export const webhookView = (webhook: Webhook): WebhookView => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  active: webhook.active,
  last_status: webhook.lastStatus,
  last_error: webhook.lastError,
  last_attempt_at: webhook.lastAttemptAt === null ? null : Instant.format(webhook.lastAttemptAt),
  created_at: Instant.format(webhook.createdAt)
})
