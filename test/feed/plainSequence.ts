/**
 * A common but unsafe event log, for comparison. IDs come from a database sequence. An event is served once it is two
 * seconds old, on the assumption that all transactions with smaller IDs have committed by then.
 */
import { EventLog } from "@trailbook/core/port"
import { type ColumnRow, toSelectList } from "@trailbook/sql/Columns"
import { Database } from "@trailbook/sql/Database"
import { makeFilterConditions } from "@trailbook/sql/statements"
import { eventTable } from "@trailbook/sql/table/workTables"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

type Row = ColumnRow<typeof eventTable.columns>

/**
 * `head` is the newest event that is old enough to be served. The event columns are null if no such event follows the
 * cursor.
 */
type PageRow = { readonly head: number } & (Row | { readonly [Name in keyof Row]: null })

const { id: _id, ...columns } = eventTable.columns

/** Replaces the log in the same database. */
export const layer = Layer.effect(
  EventLog,
  Effect.gen(function*() {
    const log = yield* EventLog
    const { dialect, execute, query } = yield* Database
    const table = dialect.table("plain_events")
    yield* execute(`create table ${table} (
      id bigserial primary key, org_id text, type text, data json, customer_id text, created_at bigint
    )`)
    const names = Object.keys(columns).join(", ")
    const insert = `insert into ${table} (${names}) select ${names} from ${dialect.records("$1", columns)} as given`
    const old = `select * from ${table} where org_id = $1 and (created_at <= $2 or created_at >= $3)`
    const page = (filter: string) => `
      with old as (${old})
      select head.id as head, ${toSelectList(eventTable.columns, "page")}
      from (select coalesce(max(id), 0) as id from old) head
      left join (select * from old where id > $4${filter} order by id limit $5) page on true order by page.id`
    const latest = `select ${toSelectList(eventTable.columns, "page")} from (
        select * from ${table} where org_id = $1 order by id desc limit $2
      ) page order by page.id`
    return EventLog.of({
      ...log,
      append: (events) => {
        const rows = events.map((event) => eventTable.encode({ ...event, id: 0 }))
        return Effect.asVoid(execute(insert, [JSON.stringify(rows)]))
      },
      page: ({ after, limit, orgId, type, youngAfter, youngBefore }) => {
        const filter = makeFilterConditions({ type }, 6)
        const values = [orgId, youngAfter, youngBefore, after, limit, ...filter.values]
        return Effect.map(query<PageRow>(page(filter.text), values), (rows) => {
          const events = rows.flatMap((row) => row.id === null ? [] : [eventTable.decode(row)])
          const full = events.length === limit ? events.at(-1) : undefined
          return { events, nextAfter: full?.id ?? Math.max(after, rows[0]?.head ?? 0) }
        })
      },
      latest: (orgId, limit) => Effect.map(query<Row>(latest, [orgId, limit]), (rows) => rows.map(eventTable.decode))
    })
  })
)
