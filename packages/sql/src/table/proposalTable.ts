import type { Proposal } from "@trailbook/core/proposal/Proposal"
import * as Fields from "../Fields.ts"

export const proposalTable = Fields.table<Proposal>()({
  name: "proposals",
  key: ["org_id", "id"],
  fields: {
    orgId: "text",
    id: "text",
    automation: "text",
    subject: "text",
    day: "integer",
    status: "text",
    dial: "text",
    held: "text?",
    title: "text",
    sessionId: "text?",
    bookingId: "text?",
    data: "json",
    actions: "json",
    expiresAt: "instant",
    runAt: "instant?",
    createdAt: "instant",
    decidedAt: "instant?",
    decidedBy: "text?",
    doneAt: "instant?",
    error: "text?"
  }
})
