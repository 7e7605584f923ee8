import type { Org } from "@trailbook/core/org/Org"
import * as Fields from "../Fields.ts"

export const orgTable = Fields.table<Org>()({
  name: "orgs",
  key: ["id"],
  fields: {
    id: "text",
    name: "text",
    slug: "text",
    timezone: "text",
    currency: "text",
    plan: "text",
    replyWindow: "text?",
    autoAck: "boolean",
    awayNotice: "text?",
    reviewUrl: "text?",
    briefHour: "integer",
    opsDailyCap: "integer",
    quietFrom: "integer?",
    quietTo: "integer?",
    refundCeilingCents: "integer?",
    guestChangesHours: "integer?",
    accent: "text?",
    logoUrl: "text?",
    coverUrl: "text?",
    confirmEmail: "boolean",
    units: "text?",
    secret: "text",
    createdAt: "instant"
  }
})
