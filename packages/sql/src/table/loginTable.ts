import type { Login, Way } from "@trailbook/core/staff/Login"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const loginTable = Table.make({
  name: "logins",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    staff_id: "text",
    digest: "text",
    way: "text",
    device: "text",
    created_at: "instant",
    last_used_at: "instant",
    expires_at: "instant",
    ended_at: "instant?"
  },
  decode: (row): Login => ({
    id: row.id,
    orgId: row.org_id,
    staffId: row.staff_id,
    digest: row.digest,
    way: row.way as Way,
    device: row.device,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at
  }),
  encode: (login) => ({
    org_id: login.orgId,
    id: login.id,
    staff_id: login.staffId,
    digest: login.digest,
    way: login.way,
    device: login.device,
    created_at: login.createdAt,
    last_used_at: login.lastUsedAt,
    expires_at: login.expiresAt,
    ended_at: login.endedAt
  })
})
