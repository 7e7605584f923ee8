import { type CustomerStore, matchesSearch, parseSearchQuery, toSearchTerms } from "@trailbook/core/customer"
import type { OrgKey } from "@trailbook/core/offering"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { within } from "../Rows.ts"
import { findRows, inGroup, inGroups, type State } from "../State.ts"

export const customerStore = ({ read, write }: Journal): CustomerStore["Type"] => {
  const find = (keys: ReadonlyArray<OrgKey>) => read(({ customers }) => findRows(customers, keys))
  return {
    find,
    lock: find,
    lockByEmail: (keys) =>
      read(({ customers }) => inGroups(customers, keys.map(({ email, orgId }) => `email ${within(orgId, email)}`))),
    list: ({ orgId, q, ...query }) =>
      read((state) => {
        const rows = inGroup(state.customers, `org ${orgId}`)
        const search = q === undefined ? undefined : parseSearchQuery(q)
        const matches = search === undefined
          ? rows
          : rows.filter((row) => matchesSearch(search, toSearchTerms(row), referencesOf(state, row)))
        return page(matches, byCreation, { ...query, order: "desc" })
      }),
    put: (rows) => write(() => rows.map((row) => ({ table: "customers", row })))
  }
}

/** Returns a guest's booking references, because guests can also be found by reference. */
const referencesOf = ({ bookings }: State, { id, orgId }: OrgKey): ReadonlyArray<string> =>
  inGroup(bookings, `customer ${within(orgId, id)}`).map(({ reference }) => reference)
