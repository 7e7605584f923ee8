import { SavedReplyStore } from "@trailbook/core/conversation/SavedReplyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { forUpdate } from "../records.ts"
import * as Table from "../Table.ts"
import { savedReplyTable } from "../table/savedReplyTable.ts"

type Row = RowOf<typeof savedReplyTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  SavedReplyStore,
  Effect.map(Database, (database) => {
    const { dialect, query, write } = database
    const table = dialect.table("saved_replies")
    const select = `select ${list(savedReplyTable.columns, "r")} from ${table} r where r.org_id = $1`
    const lock = `${select} and r.id = $2${forUpdate(dialect, "r")}`
    const remove = `delete from ${table} where org_id = $1 and id = $2`
    const put = Table.put(database, savedReplyTable)
    return SavedReplyStore.of({
      lock: ({ id, orgId }) =>
        Effect.map(
          query<Row>(lock, [orgId, id]),
          ([row]) => Option.map(Option.fromNullable(row), savedReplyTable.decode)
        ),
      list: (orgId) => Effect.map(query<Row>(select, [orgId]), (rows) => rows.map(savedReplyTable.decode)),
      put: (reply) => put([reply]),
      remove: ({ id, orgId }) => write(remove, [orgId, id])
    })
  })
)
