import type { OfferingStore, OrgKey } from "@trailbook/core/offering"
import * as Effect from "effect/Effect"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { findRows, inGroup } from "../State.ts"

export const offeringStore = ({ read, write }: Journal): OfferingStore["Type"] => {
  const find = (keys: ReadonlyArray<OrgKey>) => read(({ offerings }) => findRows(offerings, keys))
  return {
    find,
    lock: find,
    lockOfOrg: () => Effect.void,
    list: ({ kind, orgId, ...query }) =>
      read(({ offerings }) => {
        const ofKind = inGroup(offerings, `org ${orgId}`).filter((row) => kind === undefined || row.kind === kind)
        return page(ofKind, byCreation, query)
      }),
    put: (rows) => write(() => rows.map((row) => ({ table: "offerings", row })))
  }
}
