import type { OrgKey } from "@trailbook/core/offering/OfferingStore"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Fields from "../Fields.ts"

export const draftTable = Fields.table<OrgKey & { readonly at: Instant }>()({
  name: "drafts",
  key: ["org_id", "id"],
  fields: { orgId: "text", id: "text", at: "instant" }
})
