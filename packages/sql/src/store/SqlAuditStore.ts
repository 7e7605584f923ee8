import { AuditStore } from "@trailbook/core/staff/AuditStore"
import { layerOf } from "../layerOf.ts"
import * as Rows from "../Rows.ts"
import { auditTable } from "../table/auditTable.ts"

/**
 * @category layers
 */
export const layer = layerOf(AuditStore, (database) => {
  const rows = Rows.make(database, auditTable, "a")
  const select = `${rows.select} where a.org_id = $1`
  const newest = `${select} order by a.at desc, a.id desc limit $2`
  const older = `${select} and (a.at, a.id) < ($3, $4) order by a.at desc, a.id desc limit $2`

  return {
    add: rows.addOne,
    page: ({ before, limit, orgId }) =>
      before === undefined
        ? rows.all(newest, [orgId, limit])
        : rows.all(older, [orgId, limit, before.at, before.id])
  }
})
