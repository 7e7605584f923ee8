import type { AuditActor, AuditEntry } from "@trailbook/core/staff/AuditEntry"
import * as Fields from "../Fields.ts"
import * as Table from "../Table.ts"

const plain = Fields.table<Omit<AuditEntry, "by">>()({
  name: "audit",
  key: ["org_id", "id"],
  fields: { id: "text", orgId: "text", at: "instant", what: "text", subject: "text", name: "text" }
})

export const auditTable = Table.make({
  ...plain,
  columns: { ...plain.columns, by_kind: "text", staff_id: "text?", by_id: "text?" },
  decode: (row): AuditEntry => ({
    ...plain.decode(row),
    by: actorOf(row)
  }),
  encode: (entry: AuditEntry) => ({
    ...plain.encode(entry),
    by_kind: entry.by._tag,
    staff_id: entry.by._tag === "Staff" ? entry.by.staffId : null,
    by_id: entry.by._tag === "Key" ? entry.by.keyId : entry.by._tag === "Application" ? entry.by.grantId : null
  })
})

interface ActorColumns {
  readonly by_kind: string
  readonly staff_id: string | null
  readonly by_id: string | null
}

const actorOf = ({ by_id: id, by_kind: kind, staff_id: staffId }: ActorColumns): AuditActor => {
  if (staffId !== null) return { _tag: "Staff", staffId }
  if (kind === "Key") return { _tag: "Key", keyId: id ?? "" }
  if (kind === "Application") return { _tag: "Application", grantId: id ?? "" }
  return { _tag: kind as "Operator" | "Host" | "Service" }
}
