/**
 * @since 0.1.0
 */
import { Outbox } from "@trailbook/core/port/Outbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import * as Table from "../Table.ts"
import { errandTable } from "../table/errandTable.ts"

type Row = RowOf<typeof errandTable.columns>

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = Layer.effect(
  Outbox,
  Effect.map(Database, (database) => {
    const { dialect, query, write } = database
    const outbox = dialect.table("outbox")
    const due = `select ${list(errandTable.columns, "e")} from ${outbox} e
      where e.due_at <= $1 order by e.due_at, e.id limit $2`

    return Outbox.of({
      add: Table.insert(database, errandTable),
      due: (now, limit) => Effect.map(query<Row>(due, [now, limit]), (rows) => rows.map(errandTable.decode)),
      done: ({ id, orgId }) => write(`delete from ${outbox} where org_id = $1 and id = $2`, [orgId, id]),
      postpone: ({ attempts, dueAt, id, lastError, orgId }) =>
        write(
          `update ${outbox} set due_at = $3, attempts = $4, last_error = $5 where org_id = $1 and id = $2`,
          [orgId, id, dueAt, attempts, lastError]
        )
    })
  })
)
