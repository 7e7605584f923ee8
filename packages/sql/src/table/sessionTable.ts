import type { Session, SessionStatus } from "@trailbook/core/session/Session"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const sessionTable = Table.make({
  name: "sessions",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    offering_id: "text",
    starts_at: "instant",
    ends_at: "instant",
    capacity: "integer?",
    status: "text",
    created_at: "instant",
    judged_at: "instant"
  },
  decode: (row): Session => ({
    id: row.id,
    orgId: row.org_id,
    offeringId: row.offering_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    capacity: row.capacity,
    status: row.status as SessionStatus,
    createdAt: row.created_at,
    judgedAt: row.judged_at
  }),
  encode: (session) => ({
    org_id: session.orgId,
    id: session.id,
    offering_id: session.offeringId,
    starts_at: session.startsAt,
    ends_at: session.endsAt,
    capacity: session.capacity,
    status: session.status,
    created_at: session.createdAt,
    judged_at: session.judgedAt
  })
})
