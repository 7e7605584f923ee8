import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { firstOf } from "./firstOf.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { found, putOfOrg } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<OfferingStore, never, MemoryDatabase> = Layer.effect(
  OfferingStore,
  Effect.map(MemoryDatabase, ({ read, write }) => {
    const find = (keys: ReadonlyArray<Key>) => read(({ offerings }) => found(offerings, keys))
    return OfferingStore.of({
      find,
      lock: find,
      list: ({ after, kind, limit, orgId }) =>
        read(({ offerings }) =>
          firstOf(
            Table.range(offerings, "created", orgId, after === undefined ? {} : { above: after }),
            limit,
            (offering) => kind === undefined || offering.kind === kind
          )
        ),
      put: (rows) => write((tables) => ({ ...tables, offerings: putOfOrg(tables, tables.offerings, rows) }))
    })
  })
)
