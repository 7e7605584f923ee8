import { type ResumableJobKey, ResumableJobStore } from "@trailbook/core/job/ResumableJobStore"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { resumableJobTable } from "../table/resumableJobTable.ts"

export const layer = storeLayer(ResumableJobStore, (database) => {
  const { write } = database
  const rows = Rows.make(database, resumableJobTable, "u")
  const byKey = `${rows.select} where u.org_id = $1 and u.subject = $2 and u.id = $3`
  // Runs for the engine itself, across orgs.
  const untouched = `${rows.select} where u.touched_at <= $1 order by u.touched_at, u.org_id, u.subject, u.id limit $2`
  const remove = `delete from ${rows.table} where org_id = $1 and subject = $2 and id = $3`

  const find = (text: string) => ({ id, orgId, subject }: ResumableJobKey) => rows.one(text, [orgId, subject, id])

  return {
    find: find(byKey),
    lock: find(byKey + rows.locked),
    put: rows.putOne,
    remove: ({ id, orgId, subject }) => write(remove, [orgId, subject, id]),
    untouchedSince: (moment, limit) => rows.all(untouched, [moment, limit])
  }
})
