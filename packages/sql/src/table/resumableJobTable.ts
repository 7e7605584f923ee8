import type { ResumableJob } from "@trailbook/core/job/ResumableJobStore"
import * as Fields from "../Fields.ts"

export const resumableJobTable = Fields.table<ResumableJob>()({
  name: "unfinished",
  key: ["org_id", "subject", "id"],
  fields: {
    orgId: "text",
    subject: "text",
    id: "text",
    begunAt: "instant",
    touchedAt: "instant",
    cancelled: "integer",
    refunded: "integer"
  }
})
