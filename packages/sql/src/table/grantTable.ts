import type { Code, Grant, Token } from "@trailbook/core/oauth/Grant"
import * as Fields from "../Fields.ts"

export const grantTable = Fields.table<Grant>()({
  name: "grants",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    clientId: "text",
    name: "text",
    staffId: "text",
    scopes: "json",
    personal: "boolean",
    createdAt: "instant",
    lastUsedAt: "instant?",
    withdrawnAt: "instant?"
  }
})

export const grantCodeTable = Fields.table<Code>()({
  name: "grant_codes",
  key: ["org_id", "digest"],
  fields: {
    digest: "text",
    orgId: "text",
    grantId: "text",
    clientId: "text",
    redirectUri: "text",
    challenge: "text",
    createdAt: "instant",
    expiresAt: "instant",
    spentAt: "instant?"
  }
})

export const grantTokenTable = Fields.table<Token>()({
  name: "grant_tokens",
  key: ["org_id", "digest"],
  fields: {
    digest: "text",
    orgId: "text",
    grantId: "text",
    kind: "text",
    scopes: "json",
    createdAt: "instant",
    expiresAt: "instant",
    rotatedAt: "instant?",
    uses: "integer"
  }
})
