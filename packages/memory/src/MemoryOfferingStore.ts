import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import type { OrgKey } from "@trailbook/core/offering/OfferingStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { findRows, putOfOrg } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(OfferingStore, ({ read, write }) => {
  const find = (keys: ReadonlyArray<OrgKey>) => read(({ offerings }) => findRows(offerings, keys))
  return {
    find,
    lock: find,
    list: ({ after, kind, limit, orgId }) =>
      read(({ offerings }) =>
        takeFirst(
          Table.range(offerings, "created", orgId, { above: after }),
          limit,
          (offering) => kind === undefined || offering.kind === kind
        )
      ),
    put: (rows) => write((tables) => ({ ...tables, offerings: putOfOrg(tables, tables.offerings, rows) }))
  }
})
