import { SavedReplyStore } from "@trailbook/core/conversation/saved-reply/SavedReplyStore"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { savedReplyTable } from "../table/savedReplyTable.ts"

export const layer = storeLayer(SavedReplyStore, (database) => {
  const { write } = database
  const rows = Rows.make(database, savedReplyTable, "r")
  const ofOrg = `${rows.select} where r.org_id = $1`
  const remove = `delete from ${rows.table} where org_id = $1 and id = $2`
  return {
    lock: rows.lock,
    list: (orgId) => rows.all(ofOrg, [orgId]),
    put: rows.putOne,
    remove: ({ id, orgId }) => write(remove, [orgId, id])
  }
})
