/**
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import { Id, Integer, Timestamp } from "../wire/View.ts"
import type { Org } from "./Org.ts"

/**
 * The org on the wire (§2.12).
 *
 * @since 0.1.0
 * @category schemas
 */
export const OrgView = Schema.Struct({
  id: Id,
  name: Schema.String,
  slug: Schema.String,
  timezone: Schema.String,
  currency: Schema.String,
  reply_window: Schema.NullOr(Schema.String),
  auto_ack: Schema.Boolean,
  away_notice: Schema.NullOr(Schema.String),
  review_url: Schema.NullOr(Schema.String),
  brief_hour: Integer,
  ops_daily_cap: Integer,
  quiet_from: Schema.NullOr(Integer),
  quiet_to: Schema.NullOr(Integer),
  refund_ceiling_cents: Schema.NullOr(Integer),
  created_at: Timestamp
}).annotations({ identifier: "Org" })
export type OrgView = typeof OrgView.Type

/**
 * @since 0.1.0
 * @category converting
 */
export const orgView = (org: Org): OrgView => ({
  id: org.id,
  name: org.name,
  slug: org.slug,
  timezone: org.timezone,
  currency: org.currency,
  reply_window: org.replyWindow,
  auto_ack: org.autoAck,
  away_notice: org.awayNotice,
  review_url: org.reviewUrl,
  brief_hour: org.briefHour,
  ops_daily_cap: org.opsDailyCap,
  quiet_from: org.quietFrom,
  quiet_to: org.quietTo,
  refund_ceiling_cents: org.refundCeilingCents,
  created_at: Instant.format(org.createdAt)
})
