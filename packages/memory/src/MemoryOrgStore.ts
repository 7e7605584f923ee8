import { OrgStore } from "@trailbook/core/org/OrgStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg } from "./Tables.ts"

export const layer = storeLayer(OrgStore, ({ read, write }) => {
  const find = (id: string) => read(({ orgs }) => Table.find(orgs, id))
  return {
    find,
    lock: find,
    findBySlug: (slug) => read(({ orgs }) => Table.findBy(orgs, "slug", slug)),
    all: read(({ orgs }) => [...Table.range(orgs, "created", everyOrg)]),
    put: (org) => write((tables) => ({ ...tables, orgs: Table.put(tables.orgs, org) }))
  }
})
