import { OAuthClientStore } from "@trailbook/core/oauth/OAuthClientStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(OAuthClientStore, ({ read, write }) => ({
  find: (clientId) => read(({ applications }) => Table.find(applications, clientId)),
  put: (application) => write((tables) => ({ ...tables, applications: Table.put(tables.applications, application) })),
  removeUnused: (before, limit) =>
    write((tables) => {
      const old = Table.range(tables.applications, "read", everyOrg, { below: { at: before, id: "" } })
      const unused = [...old].filter(({ clientId }) =>
        takeFirst(Table.range(tables.grants, "ofClient", clientId), 1).length === 0
      )
      return { ...tables, applications: Table.removeRows(tables.applications, unused.slice(0, limit)) }
    })
}))
