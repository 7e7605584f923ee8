import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { filters } from "../filters.ts"
import { minInstant } from "../openBounds.ts"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { offeringTable } from "../table/offeringTable.ts"

export const layer = storeLayer(OfferingStore, (database) => {
  const rows = Rows.make(database, offeringTable, "o")

  return {
    find: rows.findAll,
    lock: rows.lockAll,
    list: ({ after = minInstant, kind, limit, orgId }) => {
      const filter = filters({ "o.kind": kind }, 5)
      const text = `${rows.select}
        where o.org_id = $1 and o.deleted_at is null and (o.created_at, o.id) > ($2, $3)${filter.text}
        order by o.created_at, o.id limit $4`
      return rows.all(text, [orgId, after.at, after.id, limit, ...filter.values])
    },
    put: rows.put
  }
})
