import { ConversationStore } from "@trailbook/core/conversation/ConversationStore"
import { among } from "../jsonParameter.ts"
import { minInstant } from "../openBounds.ts"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import * as Table from "../Table.ts"
import { conversationTable, conversationWriteTable } from "../table/conversationTable.ts"
import { conversationList } from "./conversationList.ts"

export const layer = storeLayer(ConversationStore, (database) => {
  const { dialect, erase } = database
  const rows = Rows.make(database, conversationTable, "v")
  const byToken = `${rows.select} where v.token = $1`
  // The redundant conditions `is not null` and `<> ''` are required, because the indexes are partial.
  const byCustomer = `${rows.select} where ${among(dialect, "v", "customer_id")} and v.customer_id is not null`
  const byEmail = `${rows.select} where ${among(dialect, "v", "from_email", "email")} and v.from_email <> ''`
  const all =
    `${rows.select} where v.org_id = $1 and (v.created_at, v.id) > ($2, $3) order by v.created_at, v.id limit $4`

  return {
    find: rows.findAll,
    lock: rows.lockAll,
    findByToken: (token) => rows.one(byToken, [token]),
    findByCustomer: rows.ofKeys(byCustomer),
    findByEmail: (keys) => rows.ofRecords(byEmail, keys.map(({ email, orgId }) => ({ org_id: orgId, email }))),
    list: conversationList(database),
    all: (orgId, after = minInstant, limit) => rows.all(all, [orgId, after.at, after.id, limit]),
    put: Table.put(database, conversationWriteTable),
    erase: Table.put({ dialect, write: erase }, conversationWriteTable)
  }
})
