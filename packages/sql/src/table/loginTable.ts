import type { Login } from "@trailbook/core/staff/Login"
import * as Fields from "../Fields.ts"

/**
 * @category tables
 */
export const loginTable = Fields.table<Login>()({
  name: "logins",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    staffId: "text",
    digest: "text",
    way: "text",
    device: "text",
    createdAt: "instant",
    lastUsedAt: "instant",
    expiresAt: "instant",
    endedAt: "instant?"
  }
})
