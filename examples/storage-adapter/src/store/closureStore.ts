import { type ClosureStore, toClosurePosition } from "@trailbook/core/offering"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { within } from "../Rows.ts"
import { get, inGroup } from "../State.ts"

export const closureStore = ({ read, write }: Journal): ClosureStore["Type"] => {
  const find: ClosureStore["Type"]["find"] = ({ id, orgId }) =>
    read(({ closures }) => Option.fromNullable(get(closures, within(orgId, id))))
  return {
    find,
    lock: find,
    list: ({ after, limit, orgId, since = 0 }) =>
      read(({ closures }) =>
        inGroup(closures, `org ${orgId}`).filter((closure) => {
          const { at, id } = toClosurePosition(closure)
          return closure.toDate >= since &&
            (after === undefined || at > after.at || (at === after.at && id > after.id))
        }).toSorted((a, b) => a.fromDate - b.fromDate || (a.id < b.id ? -1 : 1)).slice(0, limit)
      ),
    since: (orgIds, date) =>
      read(({ closures }) =>
        orgIds.flatMap((orgId) => inGroup(closures, `org ${orgId}`).filter(({ toDate }) => toDate >= date))
      ),
    put: (row) => write(() => [{ table: "closures", row }]),
    remove: ({ id, orgId }) =>
      write(({ closures }) => {
        const row = get(closures, within(orgId, id))
        return row === undefined ? [] : [{ table: "closures", row, gone: true }]
      })
  }
}
