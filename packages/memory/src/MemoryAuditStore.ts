import { AuditStore } from "@trailbook/core/staff/AuditStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { putOfOrg } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(AuditStore, ({ read, write }) => ({
  add: (entry) => write((tables) => ({ ...tables, audit: putOfOrg(tables, tables.audit, [entry]) })),
  page: ({ before, limit, orgId }) =>
    read(({ audit }) =>
      takeFirst(
        Table.range(audit, "at", orgId, { order: "desc", below: before }),
        limit
      )
    ),
  hasSince: ({ name, orgId, since, subject, what }) =>
    read(({ audit }) => {
      for (const entry of Table.range(audit, "at", orgId, { order: "desc" })) {
        if (entry.at < since) return false
        if (entry.what === what && entry.subject === subject && entry.name === name) return true
      }
      return false
    })
}))
