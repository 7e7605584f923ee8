import type { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { within } from "../Rows.ts"
import { found, inGroup, inGroups } from "../State.ts"

export const customerStore = ({ read, write }: Journal): CustomerStore["Type"] => {
  const find = (keys: ReadonlyArray<Key>) => read(({ customers }) => found(customers, keys))
  return {
    find,
    lock: find,
    lockByEmail: (keys) =>
      read(({ customers }) => inGroups(customers, keys.map(({ email, orgId }) => `email ${within(orgId, email)}`))),
    list: ({ orgId, q = "", ...asked }) =>
      read(({ customers }) => {
        const wanted = q.toLowerCase()
        const rows = inGroup(customers, `org ${orgId}`).filter(({ email, name, phone }) =>
          [name, email, phone].some((text) => text.toLowerCase().includes(wanted))
        )
        return page(rows, byCreation, { ...asked, order: "desc" })
      }),
    put: (rows) => write(() => rows.map((row) => ({ table: "customers", row })))
  }
}
