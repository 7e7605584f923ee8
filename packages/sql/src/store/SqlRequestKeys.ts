import { RequestKeys } from "@trailbook/core/port/RequestKeys"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { requestKeyTable } from "../table/requestKeyTable.ts"

export const layer = storeLayer(RequestKeys, (database) => {
  const rows = Rows.make(database, requestKeyTable, "k")
  const byKey = `${rows.select}
    where k.org_id = $1 and k.operation = $2 and k.key = $3`

  return {
    find: ({ key, operation, orgId }) => rows.one(byKey, [orgId, operation, key]),
    bind: rows.addOne
  }
})
