import { type UnfinishedKey, UnfinishedStore } from "@trailbook/core/port/UnfinishedStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { forUpdate } from "../records.ts"
import * as Table from "../Table.ts"
import { unfinishedTable } from "../table/unfinishedTable.ts"

type Row = RowOf<typeof unfinishedTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  UnfinishedStore,
  Effect.map(Database, (database) => {
    const { dialect, query, write } = database
    const unfinished = dialect.table("unfinished")
    const select = `select ${list(unfinishedTable.columns, "u")} from ${unfinished} u`
    const byKey = `${select} where u.org_id = $1 and u.subject = $2 and u.id = $3`
    // The engine's own work, on behalf of no org.
    const untouched = `${select} where u.touched_at <= $1 order by u.touched_at, u.org_id, u.subject, u.id limit $2`
    const remove = `delete from ${unfinished} where org_id = $1 and subject = $2 and id = $3`
    const put = Table.put(database, unfinishedTable)

    const find = (text: string) => ({ id, orgId, subject }: UnfinishedKey) =>
      Effect.map(
        query<Row>(text, [orgId, subject, id]),
        ([row]) => Option.map(Option.fromNullable(row), unfinishedTable.decode)
      )

    return UnfinishedStore.of({
      find: find(byKey),
      lock: find(`${byKey}${forUpdate(dialect, "u")}`),
      put: (row) => put([row]),
      remove: ({ id, orgId, subject }) => write(remove, [orgId, subject, id]),
      untouchedSince: (moment, limit) =>
        Effect.map(query<Row>(untouched, [moment, limit]), (rows) => rows.map(unfinishedTable.decode))
    })
  })
)
