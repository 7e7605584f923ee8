import type { StaffMember } from "@trailbook/core/staff/StaffMember"
import * as Fields from "../Fields.ts"

export const staffTable = Fields.table<StaffMember>()({
  name: "staff",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    email: "text",
    name: "text",
    role: "text",
    notify: "boolean",
    createdAt: "instant"
  }
})
