import type { Code } from "@trailbook/core/application/Grant"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const grantCodeTable = Table.make({
  name: "grant_codes",
  key: ["org_id", "digest"],
  columns: {
    org_id: "text",
    digest: "text",
    grant_id: "text",
    client_id: "text",
    redirect_uri: "text",
    challenge: "text",
    created_at: "instant",
    expires_at: "instant",
    spent_at: "instant?"
  },
  decode: (row): Code => ({
    digest: row.digest,
    orgId: row.org_id,
    grantId: row.grant_id,
    clientId: row.client_id,
    redirectUri: row.redirect_uri,
    challenge: row.challenge,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    spentAt: row.spent_at
  }),
  encode: (code) => ({
    org_id: code.orgId,
    digest: code.digest,
    grant_id: code.grantId,
    client_id: code.clientId,
    redirect_uri: code.redirectUri,
    challenge: code.challenge,
    created_at: code.createdAt,
    expires_at: code.expiresAt,
    spent_at: code.spentAt
  })
})
