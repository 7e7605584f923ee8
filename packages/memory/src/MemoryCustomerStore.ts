import type { Customer } from "@trailbook/core/customer/Customer"
import * as Search from "@trailbook/core/customer/customerSearch"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import type { OrgKey } from "@trailbook/core/offering/OfferingStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { findRows, orgKey, putOfOrg, type Tables } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(CustomerStore, ({ read, write }) => {
  const find = (keys: ReadonlyArray<OrgKey>) => read(({ customers }) => findRows(customers, keys))
  return {
    find,
    lock: find,
    lockByEmail: (keys) =>
      read(({ customers }) =>
        Table.getEachBy(customers, "e-mail", keys.map(({ email, orgId }) => orgKey(orgId, email)))
      ),
    list: ({ after, limit, orgId, q }) => {
      const search = q === undefined ? undefined : Search.parseSearch(q)
      return read((tables) =>
        takeFirst(
          Table.range(tables.customers, "created", orgId, { order: "desc", below: after }),
          limit,
          (customer) =>
            search === undefined ||
            Search.matches(search, Search.toSearchTerms(customer), referencesOf(tables, customer))
        )
      )
    },
    put: (rows) => write((tables) => ({ ...tables, customers: putOfOrg(tables, tables.customers, rows) }))
  }
})

const referencesOf = ({ bookings }: Tables, { id, orgId }: Customer): ReadonlyArray<string> =>
  [...Table.range(bookings, "ofCustomer", orgKey(orgId, id))].map(({ reference }) => reference)
