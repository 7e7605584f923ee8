import { FileStore } from "@trailbook/core/file/FileStore"
import type { StoredFile } from "@trailbook/core/file/StoredFile"
import * as Effect from "effect/Effect"
import type { ColumnRow } from "../Columns.ts"
import { forUpdateSkipLocked } from "../jsonParameter.ts"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { fileTable } from "../table/fileTable.ts"

type Row = ColumnRow<typeof fileTable.columns>

const used = { org_id: "text", id: "text", name: "text", message_id: "text", position: "integer" } as const

export const layer = storeLayer(FileStore, (database) => {
  const { dialect, execute, write } = database
  const rows = Rows.make(database, fileTable, "f")
  const names = Object.keys(fileTable.columns).join(", ")
  const use = `update ${rows.table} as f
    set name = given.name, message_id = given.message_id, position = given.position
    from ${dialect.records("$1", used)} as given
    where f.org_id = given.org_id and f.id = given.id`
  const asked = `(select id from ${dialect.records("$2", { id: "text" })} as asked)`
  const ofMessages =
    `${rows.select} where f.org_id = $1 and f.message_id in ${asked} order by f.message_id, f.position, f.id`
  const removeOfMessages = `delete from ${rows.table} where org_id = $1 and message_id in ${asked} returning ${names}`
  // Runs for the engine itself, across orgs.
  const removeUnused = `with old as materialized (
      select f.org_id, f.id from ${rows.table} f where f.message_id is null and f.created_at <= $1
      order by f.created_at, f.org_id, f.id limit $2${forUpdateSkipLocked(dialect, "f")}
    )
    delete from ${rows.table} where (org_id, id) in (select org_id, id from old) returning ${names}`
  const discard = `delete from ${rows.table} where org_id = $1 and id = $2 and message_id is null`

  const decode = (rows: ReadonlyArray<Row>) => rows.map(fileTable.decode)
  const ids = (all: ReadonlyArray<string>): string => JSON.stringify(all.map((id) => ({ id })))

  return {
    add: rows.addOne,
    find: rows.find,
    lock: (orgId, ids) => rows.lockAll(ids.map((id) => ({ orgId, id }))),
    use: (all) => all.length === 0 ? Effect.void : write(use, [JSON.stringify(all.map(fileTable.encode))]),
    ofMessages: (orgId, messageIds) =>
      messageIds.length === 0
        ? Effect.succeed([])
        : rows.all(ofMessages, [orgId, ids(messageIds)]),
    removeOfMessages: (orgId, messageIds) =>
      messageIds.length === 0
        ? Effect.succeed([])
        : Effect.map(execute<Row>(removeOfMessages, [orgId, ids(messageIds)]), decode),
    removeUnused: (madeBefore, limit) =>
      Effect.map(execute<Row>(removeUnused, [madeBefore, limit]), (rows) => decode(rows).sort(oldestFirst)),
    discard: ({ id, orgId }) => write(discard, [orgId, id])
  }
})

const oldestFirst = (a: StoredFile, b: StoredFile): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
