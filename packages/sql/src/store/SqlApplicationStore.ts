import { ApplicationStore } from "@trailbook/core/application/ApplicationStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import * as Table from "../Table.ts"
import { applicationTable } from "../table/applicationTable.ts"

type Row = RowOf<typeof applicationTable.columns>

/**
 * Applications belong to no org, so nothing here is within one.
 *
 * @category layers
 */
export const layer = Layer.effect(
  ApplicationStore,
  Effect.map(Database, (database) => {
    const { dialect, query, write } = database
    const applications = dialect.table("applications")
    const byId = `select ${list(applicationTable.columns, "a")} from ${applications} a where a.client_id = $1`
    const removeUnused = `delete from ${applications} where client_id in (
        select a.client_id from ${applications} a where a.read_at < $1
          and not exists (select 1 from ${dialect.table("grants")} g where g.client_id = a.client_id)
        order by a.read_at, a.client_id limit $2
      )`
    const put = Table.put(database, applicationTable)

    return ApplicationStore.of({
      find: (clientId) =>
        Effect.map(
          query<Row>(byId, [clientId]),
          ([row]) => Option.map(Option.fromNullable(row), applicationTable.decode)
        ),
      put: (application) => put([application]),
      removeUnused: (before, limit) => write(removeUnused, [before, limit])
    })
  })
)
