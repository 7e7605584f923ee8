import { MessageStore } from "@trailbook/core/conversation/message/MessageStore"
import { filters } from "../filters.ts"
import { minInstant } from "../openBounds.ts"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import * as Table from "../Table.ts"
import { messageTable, messageWriteTable } from "../table/messageTable.ts"
import { unreachedGuests } from "./unreachedGuests.ts"

export const layer = storeLayer(MessageStore, (database) => {
  const { dialect, erase, write } = database
  const rows = Rows.make(database, messageTable, "m")
  const byMailKey = `${rows.select} where m.org_id = $1 and m.mail_key = $2`
  const byBounceToken = `${rows.select} where m.bounce_token = $1`
  const ofBroadcast = `${rows.select} where m.org_id = $2 and m.broadcast_id = $3
    and m.customer_id in (select id from ${dialect.records("$1", { id: "text" })} as asked)`
  const latest = `${rows.select} where m.org_id = $1 and m.conversation_id = $2
    order by m.created_at desc, m.id desc limit $3`
  const page = (filter: string) =>
    `${rows.select} where m.org_id = $1 and (m.created_at, m.id) > ($2, $3)${filter} order by m.created_at, m.id limit $4`
  const markRead = `update ${rows.table} set read_at = $4
    where org_id = $1 and conversation_id = $2 and direction = $3 and read_at is null`
  const move = `update ${rows.table} set conversation_id = $3, customer_id = $4
    where org_id = $1 and conversation_id = $2`

  return {
    find: rows.findAll,
    findByMailKey: (orgId, mailKey) => rows.one(byMailKey, [orgId, mailKey]),
    findByBounceToken: (token) => rows.one(byBounceToken, [token]),
    findOfBroadcast: (orgId, broadcastId, customerIds) =>
      rows.ofRecords(ofBroadcast, customerIds.map((id) => ({ id })), orgId, broadcastId),
    unreached: unreachedGuests(database),
    list: ({ after = minInstant, bookingId, conversationId, customerId, limit, orgId }) => {
      const filter = filters({
        "m.conversation_id": conversationId,
        "m.booking_id": bookingId,
        "m.customer_id": customerId
      }, 5)
      return rows.all(page(filter.text), [orgId, after.at, after.id, limit, ...filter.values])
    },
    latest: ({ id, orgId }, limit) => rows.all(latest, [orgId, id, limit]),
    put: Table.put(database, messageWriteTable),
    erase: Table.put({ dialect, write: erase }, messageWriteTable),
    markRead: ({ id, orgId }, direction, at) => write(markRead, [orgId, id, direction, at]),
    move: ({ id, orgId }, to) => write(move, [orgId, id, to.conversationId, to.customerId])
  }
})
