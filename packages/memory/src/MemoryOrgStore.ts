import { OrgStore } from "@trailbook/core/org/OrgStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<OrgStore, never, MemoryDatabase> = Layer.effect(
  OrgStore,
  Effect.map(MemoryDatabase, ({ read, write }) => {
    const find = (id: string) => read(({ orgs }) => Option.fromNullable(Table.get(orgs, id)))
    return OrgStore.of({
      find,
      lock: find,
      findBySlug: (slug) => read(({ orgs }) => Option.fromNullable(Table.getBy(orgs, "slug", slug))),
      all: read(({ orgs }) => [...Table.range(orgs, "created", everyOrg)]),
      put: (org) => write((tables) => ({ ...tables, orgs: Table.put(tables.orgs, org) }))
    })
  })
)
