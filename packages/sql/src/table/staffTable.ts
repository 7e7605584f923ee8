import type { StaffMember } from "@trailbook/core/staff/StaffMember"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const staffTable = Table.make({
  name: "staff",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    email: "text",
    name: "text",
    notify: "boolean",
    created_at: "instant"
  },
  decode: (row): StaffMember => ({
    id: row.id,
    orgId: row.org_id,
    email: row.email,
    name: row.name,
    notify: Boolean(row.notify),
    createdAt: row.created_at
  }),
  encode: (member) => ({
    org_id: member.orgId,
    id: member.id,
    email: member.email,
    name: member.name,
    notify: member.notify,
    created_at: member.createdAt
  })
})
