import { AuditStore } from "@trailbook/core/staff/AuditStore"
import * as Effect from "effect/Effect"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { auditTable } from "../table/auditTable.ts"

export const layer = storeLayer(AuditStore, (database) => {
  const rows = Rows.make(database, auditTable, "a")
  const select = `${rows.select} where a.org_id = $1`
  const newest = `${select} order by a.at desc, a.id desc limit $2`
  const older = `${select} and (a.at, a.id) < ($3, $4) order by a.at desc, a.id desc limit $2`
  const since = `${select} and a.at >= $2 and a.what = $3 and a.subject = $4 and a.name = $5 limit 1`

  return {
    add: rows.addOne,
    page: ({ before, limit, orgId }) =>
      before === undefined
        ? rows.all(newest, [orgId, limit])
        : rows.all(older, [orgId, limit, before.at, before.id]),
    hasSince: ({ name, orgId, since: at, subject, what }) =>
      Effect.map(rows.all(since, [orgId, at, what, subject, name]), ({ length }) => length > 0)
  }
})
