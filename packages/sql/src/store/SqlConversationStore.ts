import { ConversationStore } from "@trailbook/core/conversation/ConversationStore"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import type { Value } from "../Dialect.ts"
import { start } from "../ends.ts"
import { among, forUpdate, keyRecord, queryFor } from "../records.ts"
import * as Table from "../Table.ts"
import { conversationTable, conversationWriteTable } from "../table/conversationTable.ts"
import { conversationList } from "./conversationList.ts"

type Row = RowOf<typeof conversationTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  ConversationStore,
  Effect.map(Database, (database) => {
    const { dialect, erase, query } = database
    const select = `select ${list(conversationTable.columns, "v")} from ${dialect.table("conversations")} v`
    const byKeys = `${select} where ${among(dialect, "v")}`
    const byToken = `${select} where v.token = $1`
    // That it has one, and is none of the erased, is said besides, or no partial index serves it.
    const byCustomer = `${select} where (v.org_id, v.customer_id) in (
        select org_id, id from ${dialect.records("$1", { org_id: "text", id: "text" })} as asked
      ) and v.customer_id is not null`
    const byEmail = `${select} where (v.org_id, v.from_email) in (
        select org_id, email from ${dialect.records("$1", { org_id: "text", email: "text" })} as asked
      ) and v.from_email <> ''`
    const all = `${select} where v.org_id = $1 and (v.created_at, v.id) > ($2, $3) order by v.created_at, v.id limit $4`

    const decode = (rows: ReadonlyArray<Row>) => rows.map(conversationTable.decode)
    const readKeys = (text: string) => (keys: ReadonlyArray<Key>) =>
      Effect.map(queryFor<Row>(database, text, keys.map(keyRecord)), decode)
    const one = (text: string, values: ReadonlyArray<Value>) =>
      Effect.map(query<Row>(text, values), ([row]) => Option.map(Option.fromNullable(row), conversationTable.decode))

    return ConversationStore.of({
      find: readKeys(byKeys),
      lock: readKeys(`${byKeys} order by v.id, v.org_id${forUpdate(dialect, "v")}`),
      findByToken: (token) => one(byToken, [token]),
      findByCustomer: readKeys(byCustomer),
      findByEmail: (keys) =>
        Effect.map(
          queryFor<Row>(database, byEmail, keys.map(({ email, orgId }) => ({ org_id: orgId, email }))),
          decode
        ),
      list: conversationList(database),
      all: (orgId, after = start, limit) => Effect.map(query<Row>(all, [orgId, after.at, after.id, limit]), decode),
      put: Table.put(database, conversationWriteTable),
      erase: Table.put({ dialect, write: erase }, conversationWriteTable)
    })
  })
)
