import { SavedReplyStore } from "@trailbook/core/conversation/SavedReplyStore"
import { layerOf } from "../layerOf.ts"
import * as Reader from "../Reader.ts"
import { forUpdate } from "../records.ts"
import * as Table from "../Table.ts"
import { savedReplyTable } from "../table/savedReplyTable.ts"

/**
 * @category layers
 */
export const layer = layerOf(SavedReplyStore, (database) => {
  const { dialect, write } = database
  const rows = Reader.make(database, savedReplyTable, "r")
  const select = `${rows.select} where r.org_id = $1`
  const lock = `${select} and r.id = $2${forUpdate(dialect, "r")}`
  const remove = `delete from ${rows.table} where org_id = $1 and id = $2`
  return {
    lock: ({ id, orgId }) => rows.one(lock, [orgId, id]),
    list: (orgId) => rows.all(select, [orgId]),
    put: Table.one(Table.put(database, savedReplyTable)),
    remove: ({ id, orgId }) => write(remove, [orgId, id])
  }
})
