import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import { firstOf } from "./firstOf.ts"
import { over } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { found, putOfOrg } from "./Tables.ts"

/**
 * @category layers
 */
export const layer = over(OfferingStore, ({ read, write }) => {
  const find = (keys: ReadonlyArray<Key>) => read(({ offerings }) => found(offerings, keys))
  return {
    find,
    lock: find,
    list: ({ after, kind, limit, orgId }) =>
      read(({ offerings }) =>
        firstOf(
          Table.range(offerings, "created", orgId, { above: after }),
          limit,
          (offering) => kind === undefined || offering.kind === kind
        )
      ),
    put: (rows) => write((tables) => ({ ...tables, offerings: putOfOrg(tables, tables.offerings, rows) }))
  }
})
