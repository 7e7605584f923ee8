import type { AuditStore } from "@trailbook/core/staff"
import type { Journal } from "../Journal.ts"
import { inGroup } from "../State.ts"

export const auditStore = ({ read, write }: Journal): AuditStore["Type"] => ({
  add: (row) => write(() => [{ table: "audit", row }]),
  page: ({ before, limit, orgId }) =>
    read(({ audit }) =>
      inGroup(audit, `org ${orgId}`)
        .filter(({ at, id }) => before === undefined || at < before.at || (at === before.at && id < before.id))
        .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
        .slice(0, limit)
    ),
  hasSince: ({ name, orgId, since, subject, what }) =>
    read(({ audit }) =>
      inGroup(audit, `org ${orgId}`).some((entry) =>
        entry.at >= since && entry.what === what && entry.subject === subject && entry.name === name
      )
    )
})
