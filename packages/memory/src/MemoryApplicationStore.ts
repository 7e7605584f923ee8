import { ApplicationStore } from "@trailbook/core/application/ApplicationStore"
import { firstOf } from "./firstOf.ts"
import { over } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg } from "./Tables.ts"

/**
 * @category layers
 */
export const layer = over(ApplicationStore, ({ read, write }) => ({
  find: (clientId) => read(({ applications }) => Table.find(applications, clientId)),
  put: (application) => write((tables) => ({ ...tables, applications: Table.put(tables.applications, application) })),
  removeUnused: (before, limit) =>
    write((tables) => {
      const old = Table.range(tables.applications, "read", everyOrg, { below: { at: before, id: "" } })
      const unused = [...old].filter(({ clientId }) =>
        firstOf(Table.range(tables.grants, "ofClient", clientId), 1).length === 0
      )
      return { ...tables, applications: Table.without(tables.applications, unused.slice(0, limit)) }
    })
}))
