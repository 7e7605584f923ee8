import type { AuditedBy, AuditEntry } from "@trailbook/core/staff/AuditEntry"
import * as Fields from "../Fields.ts"
import * as Table from "../Table.ts"

const plain = Fields.table<Omit<AuditEntry, "by">>()({
  name: "audit",
  key: ["org_id", "id"],
  fields: { id: "text", orgId: "text", at: "instant", what: "text", subject: "text", name: "text" }
})

/**
 * @category tables
 */
export const auditTable = Table.make({
  ...plain,
  columns: { ...plain.columns, by_kind: "text", staff_id: "text?" },
  decode: (row): AuditEntry => ({
    ...plain.decode(row),
    by: row.staff_id === null
      ? { _tag: row.by_kind as Exclude<AuditedBy["_tag"], "Staff"> }
      : { _tag: "Staff", staffId: row.staff_id }
  }),
  encode: (entry: AuditEntry) => ({
    ...plain.encode(entry),
    by_kind: entry.by._tag,
    staff_id: entry.by._tag === "Staff" ? entry.by.staffId : null
  })
})
