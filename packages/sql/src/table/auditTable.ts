import type { Audited, AuditedBy, AuditEntry } from "@trailbook/core/staff/AuditEntry"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const auditTable = Table.make({
  name: "audit",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    at: "instant",
    by_kind: "text",
    staff_id: "text?",
    what: "text",
    subject: "text",
    name: "text"
  },
  decode: (row): AuditEntry => ({
    id: row.id,
    orgId: row.org_id,
    at: row.at,
    by: row.staff_id === null
      ? { _tag: row.by_kind as Exclude<AuditedBy["_tag"], "Staff"> }
      : { _tag: "Staff", staffId: row.staff_id },
    what: row.what as Audited,
    subject: row.subject,
    name: row.name
  }),
  encode: (entry) => ({
    org_id: entry.orgId,
    id: entry.id,
    at: entry.at,
    by_kind: entry.by._tag,
    staff_id: entry.by._tag === "Staff" ? entry.by.staffId : null,
    what: entry.what,
    subject: entry.subject,
    name: entry.name
  })
})
