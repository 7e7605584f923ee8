import { SavedReplyStore } from "@trailbook/core/conversation/SavedReplyStore"
import { layerOf } from "../layerOf.ts"
import * as Reader from "../Reader.ts"
import * as Table from "../Table.ts"
import { savedReplyTable } from "../table/savedReplyTable.ts"

/**
 * @category layers
 */
export const layer = layerOf(SavedReplyStore, (database) => {
  const { write } = database
  const rows = Reader.make(database, savedReplyTable, "r")
  const ofOrg = `${rows.select} where r.org_id = $1`
  const remove = `delete from ${rows.table} where org_id = $1 and id = $2`
  return {
    lock: rows.lock,
    list: (orgId) => rows.all(ofOrg, [orgId]),
    put: Table.one(Table.put(database, savedReplyTable)),
    remove: ({ id, orgId }) => write(remove, [orgId, id])
  }
})
