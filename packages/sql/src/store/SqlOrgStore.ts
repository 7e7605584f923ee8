import { OrgStore } from "@trailbook/core/org/OrgStore"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { orgTable } from "../table/orgTable.ts"

export const layer = storeLayer(OrgStore, (database) => {
  const rows = Rows.make(database, orgTable, "o")
  const byId = `${rows.select} where o.id = $1`
  const lockById = byId + rows.locked
  const bySlug = `${rows.select} where o.slug = $1`

  const one = (text: string, value: string) => rows.one(text, [value])

  return {
    find: (id) => one(byId, id),
    lock: (id) => one(lockById, id),
    findBySlug: (slug) => one(bySlug, slug),
    all: rows.all(`${rows.select} order by o.created_at, o.id`),
    put: rows.putOne
  }
})
