import type { KeptRequest } from "@trailbook/core/port/RequestKeys"
import * as Fields from "../Fields.ts"

export const requestKeyTable = Fields.table<KeptRequest>()({
  name: "request_keys",
  key: ["org_id", "operation", "key"],
  fields: {
    orgId: "text",
    operation: "text",
    key: "text",
    fingerprint: "text",
    made: "json",
    madeAt: "instant"
  }
})
