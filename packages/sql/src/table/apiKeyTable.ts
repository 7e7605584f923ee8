import type { ApiKey, Mode } from "@trailbook/core/actor/ApiKey"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const apiKeyTable = Table.make({
  name: "api_keys",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    name: "text",
    mode: "text",
    digest: "text",
    last4: "text",
    scopes: "json",
    created_at: "instant",
    expires_at: "instant?",
    revoked_at: "instant?",
    last_used_at: "instant?"
  },
  decode: (row): ApiKey => ({
    id: row.id,
    orgId: row.org_id,
    name: row.name,
    mode: row.mode as Mode,
    digest: row.digest,
    last4: row.last4,
    scopes: JSON.parse(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at
  }),
  encode: (key) => ({
    org_id: key.orgId,
    id: key.id,
    name: key.name,
    mode: key.mode,
    digest: key.digest,
    last4: key.last4,
    scopes: key.scopes,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt
  })
})
