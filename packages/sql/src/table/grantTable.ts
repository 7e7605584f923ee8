import type { Grant } from "@trailbook/core/application/Grant"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const grantTable = Table.make({
  name: "grants",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    client_id: "text",
    name: "text",
    staff_id: "text",
    scopes: "json",
    personal: "boolean",
    created_at: "instant",
    last_used_at: "instant?",
    withdrawn_at: "instant?"
  },
  decode: (row): Grant => ({
    id: row.id,
    orgId: row.org_id,
    clientId: row.client_id,
    name: row.name,
    staffId: row.staff_id,
    scopes: JSON.parse(row.scopes),
    personal: Boolean(row.personal),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    withdrawnAt: row.withdrawn_at
  }),
  encode: (grant) => ({
    org_id: grant.orgId,
    id: grant.id,
    client_id: grant.clientId,
    name: grant.name,
    staff_id: grant.staffId,
    scopes: grant.scopes,
    personal: grant.personal,
    created_at: grant.createdAt,
    last_used_at: grant.lastUsedAt,
    withdrawn_at: grant.withdrawnAt
  })
})
