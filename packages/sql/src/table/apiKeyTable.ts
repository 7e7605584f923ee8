import type { ApiKey } from "@trailbook/core/actor/ApiKey"
import * as Fields from "../Fields.ts"

export const apiKeyTable = Fields.table<ApiKey>()({
  name: "api_keys",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    name: "text",
    mode: "text",
    digest: "text",
    last4: "text",
    scopes: "json",
    createdAt: "instant",
    expiresAt: "instant?",
    revokedAt: "instant?",
    lastUsedAt: "instant?"
  }
})
