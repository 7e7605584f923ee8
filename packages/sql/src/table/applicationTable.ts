import type { Application } from "@trailbook/core/application/Application"
import * as Fields from "../Fields.ts"

/**
 * @category tables
 */
export const applicationTable = Fields.table<Application>()({
  name: "applications",
  key: ["client_id"],
  fields: { clientId: "text", name: "text", redirectUris: "json", createdAt: "instant", readAt: "instant" }
})
