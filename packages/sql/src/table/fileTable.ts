import type { FileType } from "@trailbook/core/file/FileType"
import type { StoredFile } from "@trailbook/core/file/StoredFile"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const fileTable = Table.make({
  name: "files",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    name: "text",
    size: "integer",
    type: "text",
    created_at: "instant",
    message_id: "text?",
    position: "integer"
  },
  decode: (row): StoredFile => ({
    id: row.id,
    orgId: row.org_id,
    name: row.name,
    size: row.size,
    type: row.type as FileType,
    createdAt: row.created_at,
    messageId: row.message_id,
    position: row.position
  }),
  encode: (file) => ({
    org_id: file.orgId,
    id: file.id,
    name: file.name,
    size: file.size,
    type: file.type,
    created_at: file.createdAt,
    message_id: file.messageId,
    position: file.position
  })
})
