import type { Session } from "@trailbook/core/session/Session"
import * as Fields from "../Fields.ts"

export const sessionTable = Fields.table<Session>()({
  name: "sessions",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    offeringId: "text",
    startsAt: "instant",
    endsAt: "instant",
    capacity: "integer?",
    status: "text",
    createdAt: "instant",
    judgedAt: "instant"
  }
})
