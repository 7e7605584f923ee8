import type { Token, TokenKind } from "@trailbook/core/application/Grant"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const grantTokenTable = Table.make({
  name: "grant_tokens",
  key: ["org_id", "digest"],
  columns: {
    org_id: "text",
    digest: "text",
    grant_id: "text",
    kind: "text",
    scopes: "json",
    created_at: "instant",
    expires_at: "instant",
    rotated_at: "instant?",
    uses: "integer"
  },
  decode: (row): Token => ({
    digest: row.digest,
    orgId: row.org_id,
    grantId: row.grant_id,
    kind: row.kind as TokenKind,
    scopes: JSON.parse(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    rotatedAt: row.rotated_at,
    uses: row.uses
  }),
  encode: (token) => ({
    org_id: token.orgId,
    digest: token.digest,
    grant_id: token.grantId,
    kind: token.kind,
    scopes: token.scopes,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    rotated_at: token.rotatedAt,
    uses: token.uses
  })
})
