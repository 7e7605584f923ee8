import type { Org, Plan } from "@trailbook/core/org/Org"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const orgTable = Table.make({
  name: "orgs",
  key: ["id"],
  columns: {
    id: "text",
    name: "text",
    slug: "text",
    timezone: "text",
    currency: "text",
    plan: "text",
    reply_window: "text?",
    auto_ack: "boolean",
    away_notice: "text?",
    review_url: "text?",
    brief_hour: "integer",
    ops_daily_cap: "integer",
    quiet_from: "integer?",
    quiet_to: "integer?",
    refund_ceiling_cents: "integer?",
    created_at: "instant"
  },
  decode: (row): Org => ({
    id: row.id,
    name: row.name,
    slug: row.slug,
    timezone: row.timezone,
    currency: row.currency,
    plan: row.plan as Plan,
    replyWindow: row.reply_window,
    autoAck: Boolean(row.auto_ack),
    awayNotice: row.away_notice,
    reviewUrl: row.review_url,
    briefHour: row.brief_hour,
    opsDailyCap: row.ops_daily_cap,
    quietFrom: row.quiet_from,
    quietTo: row.quiet_to,
    refundCeilingCents: row.refund_ceiling_cents,
    createdAt: row.created_at
  }),
  encode: (org) => ({
    id: org.id,
    name: org.name,
    slug: org.slug,
    timezone: org.timezone,
    currency: org.currency,
    plan: org.plan,
    reply_window: org.replyWindow,
    auto_ack: org.autoAck,
    away_notice: org.awayNotice,
    review_url: org.reviewUrl,
    brief_hour: org.briefHour,
    ops_daily_cap: org.opsDailyCap,
    quiet_from: org.quietFrom,
    quiet_to: org.quietTo,
    refund_ceiling_cents: org.refundCeilingCents,
    created_at: org.createdAt
  })
})
