import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { putOfOrg } from "./Tables.ts"

export const layer = storeLayer(ApiKeyStore, ({ read, write }) => ({
  find: (id) => read(({ apiKeys }) => Table.find(apiKeys, id)),
  list: (orgId) => read(({ apiKeys }) => [...Table.range(apiKeys, "created", orgId)]),
  put: (key) => write((tables) => ({ ...tables, apiKeys: putOfOrg(tables, tables.apiKeys, [key]) })),
  touch: (id, at) =>
    write((tables) => ({ ...tables, apiKeys: Table.change(tables.apiKeys, id, (key) => ({ ...key, lastUsedAt: at })) }))
}))
