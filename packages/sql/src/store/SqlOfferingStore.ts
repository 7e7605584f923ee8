import { type Key, OfferingStore } from "@trailbook/core/offering/OfferingStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { start } from "../ends.ts"
import { filters } from "../filters.ts"
import { among, forUpdate, keyRecord, queryFor } from "../records.ts"
import * as Table from "../Table.ts"
import { offeringTable } from "../table/offeringTable.ts"

type Row = RowOf<typeof offeringTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  OfferingStore,
  Effect.map(Database, (database) => {
    const { dialect, query } = database
    const select = `select ${list(offeringTable.columns, "o")} from ${dialect.table("offerings")} o`
    const byKeys = `${select} where ${among(dialect, "o")}`
    const lockByKeys = `${byKeys} order by o.id, o.org_id${forUpdate(dialect, "o")}`
    const decode = (rows: ReadonlyArray<Row>) => rows.map(offeringTable.decode)
    const readKeys = (text: string) => (keys: ReadonlyArray<Key>) =>
      Effect.map(queryFor<Row>(database, text, keys.map(keyRecord)), decode)

    return OfferingStore.of({
      find: readKeys(byKeys),
      lock: readKeys(lockByKeys),
      list: ({ after = start, kind, limit, orgId }) => {
        const filter = filters({ "o.kind": kind }, 5)
        const text = `${select}
          where o.org_id = $1 and o.deleted_at is null and (o.created_at, o.id) > ($2, $3)${filter.text}
          order by o.created_at, o.id limit $4`
        return Effect.map(query<Row>(text, [orgId, after.at, after.id, limit, ...filter.values]), decode)
      },
      put: Table.put(database, offeringTable)
    })
  })
)
