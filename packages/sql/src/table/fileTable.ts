import type { StoredFile } from "@trailbook/core/file/StoredFile"
import * as Fields from "../Fields.ts"

export const fileTable = Fields.table<StoredFile>()({
  name: "files",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    name: "text",
    size: "integer",
    type: "text",
    createdAt: "instant",
    messageId: "text?",
    position: "integer"
  }
})
