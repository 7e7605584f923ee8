import { MessageStore } from "@trailbook/core/conversation/MessageStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import type { Value } from "../Dialect.ts"
import { start } from "../ends.ts"
import { filters } from "../filters.ts"
import { among, keyRecord, queryFor } from "../records.ts"
import * as Table from "../Table.ts"
import { messageTable, messageWriteTable } from "../table/messageTable.ts"

type Row = RowOf<typeof messageTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  MessageStore,
  Effect.map(Database, (database) => {
    const { dialect, erase, query, write } = database
    const table = dialect.table("messages")
    const select = `select ${list(messageTable.columns, "m")} from ${table} m`
    const byKeys = `${select} where ${among(dialect, "m")}`
    const byMailKey = `${select} where m.org_id = $1 and m.mail_key = $2`
    const byBounceToken = `${select} where m.bounce_token = $1`
    const ofBroadcast = `${select} where m.org_id = $2 and m.broadcast_id = $3
      and m.customer_id in (select id from ${dialect.records("$1", { id: "text" })} as asked)`
    const latest = `${select} where m.org_id = $1 and m.conversation_id = $2
      order by m.created_at desc, m.id desc limit $3`
    const page = (filter: string) =>
      `${select} where m.org_id = $1 and (m.created_at, m.id) > ($2, $3)${filter} order by m.created_at, m.id limit $4`
    const markRead = `update ${table} set read_at = $4
      where org_id = $1 and conversation_id = $2 and direction = $3 and read_at is null`
    const move = `update ${table} set conversation_id = $3, customer_id = $4
      where org_id = $1 and conversation_id = $2`

    const decode = (rows: ReadonlyArray<Row>) => rows.map(messageTable.decode)
    const one = (text: string, values: ReadonlyArray<Value>) =>
      Effect.map(query<Row>(text, values), ([row]) => Option.map(Option.fromNullable(row), messageTable.decode))

    return MessageStore.of({
      find: (keys) => Effect.map(queryFor<Row>(database, byKeys, keys.map(keyRecord)), decode),
      findByMailKey: (orgId, mailKey) => one(byMailKey, [orgId, mailKey]),
      findByBounceToken: (token) => one(byBounceToken, [token]),
      findOfBroadcast: (orgId, broadcastId, customerIds) =>
        Effect.map(
          queryFor<Row>(database, ofBroadcast, customerIds.map((id) => ({ id })), orgId, broadcastId),
          decode
        ),
      list: ({ after = start, bookingId, conversationId, customerId, limit, orgId }) => {
        const filter = filters({
          "m.conversation_id": conversationId,
          "m.booking_id": bookingId,
          "m.customer_id": customerId
        }, 5)
        return Effect.map(
          query<Row>(page(filter.text), [orgId, after.at, after.id, limit, ...filter.values]),
          decode
        )
      },
      latest: ({ id, orgId }, limit) => Effect.map(query<Row>(latest, [orgId, id, limit]), decode),
      put: Table.put(database, messageWriteTable),
      erase: Table.put({ dialect, write: erase }, messageWriteTable),
      markRead: ({ id, orgId }, direction, at) => write(markRead, [orgId, id, direction, at]),
      move: ({ id, orgId }, to) => write(move, [orgId, id, to.conversationId, to.customerId])
    })
  })
)
