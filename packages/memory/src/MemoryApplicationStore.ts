import { ApplicationStore } from "@trailbook/core/application/ApplicationStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { firstOf } from "./firstOf.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<ApplicationStore, never, MemoryDatabase> = Layer.effect(
  ApplicationStore,
  Effect.map(MemoryDatabase, ({ read, write }) =>
    ApplicationStore.of({
      find: (clientId) => read(({ applications }) => Option.fromNullable(Table.get(applications, clientId))),
      put: (application) =>
        write((tables) => ({ ...tables, applications: Table.put(tables.applications, application) })),
      removeUnused: (before, limit) =>
        write((tables) => {
          const old = Table.range(tables.applications, "read", everyOrg, { below: { at: before, id: "" } })
          const unused = [...old].filter(({ clientId }) =>
            firstOf(Table.range(tables.grants, "ofClient", clientId), 1).length === 0
          )
          return {
            ...tables,
            applications: unused.slice(0, limit)
              .reduce((table, { clientId }) => Table.remove(table, clientId), tables.applications)
          }
        })
    }))
)
