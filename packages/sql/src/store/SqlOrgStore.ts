import { OrgStore } from "@trailbook/core/org/OrgStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../Database.ts"
import * as Reader from "../Reader.ts"
import { forUpdate } from "../records.ts"
import * as Table from "../Table.ts"
import { orgTable } from "../table/orgTable.ts"

/**
 * @category layers
 */
export const layer = Layer.effect(
  OrgStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const rows = Reader.make(database, orgTable, "o")
    const byId = `${rows.select} where o.id = $1`
    const lockById = byId + forUpdate(dialect, "o")
    const bySlug = `${rows.select} where o.slug = $1`

    const one = (text: string, value: string) => rows.one(text, [value])

    return OrgStore.of({
      find: (id) => one(byId, id),
      lock: (id) => one(lockById, id),
      findBySlug: (slug) => one(bySlug, slug),
      all: rows.all(`${rows.select} order by o.created_at, o.id`),
      put: Table.one(Table.put(database, orgTable))
    })
  })
)
