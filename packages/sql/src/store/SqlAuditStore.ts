import { AuditStore } from "@trailbook/core/staff/AuditStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import * as Table from "../Table.ts"
import { auditTable } from "../table/auditTable.ts"

type Row = RowOf<typeof auditTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  AuditStore,
  Effect.map(Database, (database) => {
    const { dialect, query } = database
    const select = `select ${list(auditTable.columns, "a")} from ${dialect.table("audit")} a where a.org_id = $1`
    const newest = `${select} order by a.at desc, a.id desc limit $2`
    const older = `${select} and (a.at, a.id) < ($3, $4) order by a.at desc, a.id desc limit $2`
    const insert = Table.insert(database, auditTable)
    const read = (rows: ReadonlyArray<Row>) => rows.map(auditTable.decode)

    return AuditStore.of({
      add: (entry) => insert([entry]),
      page: ({ before, limit, orgId }) =>
        Effect.map(
          before === undefined
            ? query<Row>(newest, [orgId, limit])
            : query<Row>(older, [orgId, limit, before.at, before.id]),
          read
        )
    })
  })
)
