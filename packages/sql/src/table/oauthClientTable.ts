import type { OAuthClient } from "@trailbook/core/oauth/OAuthClient"
import * as Fields from "../Fields.ts"

export const oauthClientTable = Fields.table<OAuthClient>()({
  name: "applications",
  key: ["client_id"],
  fields: { clientId: "text", name: "text", redirectUris: "json", createdAt: "instant", readAt: "instant" }
})
