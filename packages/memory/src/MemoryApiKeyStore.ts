import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { putOfOrg } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<ApiKeyStore, never, MemoryDatabase> = Layer.effect(
  ApiKeyStore,
  Effect.map(MemoryDatabase, ({ read, write }) =>
    ApiKeyStore.of({
      find: (id) => read(({ apiKeys }) => Option.fromNullable(Table.get(apiKeys, id))),
      list: (orgId) => read(({ apiKeys }) => [...Table.range(apiKeys, "created", orgId)]),
      put: (key) => write((tables) => ({ ...tables, apiKeys: putOfOrg(tables, tables.apiKeys, [key]) })),
      touch: (id, at) =>
        write((tables) => {
          const key = Table.get(tables.apiKeys, id)
          return key === undefined
            ? tables
            : { ...tables, apiKeys: Table.put(tables.apiKeys, { ...key, lastUsedAt: at }) }
        })
    }))
)
