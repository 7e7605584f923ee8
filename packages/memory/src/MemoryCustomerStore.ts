import type { Customer } from "@trailbook/core/customer/Customer"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import * as Search from "@trailbook/core/customer/Search"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import { firstOf } from "./firstOf.ts"
import { over } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { found, putOfOrg, type Tables, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer = over(CustomerStore, ({ read, write }) => {
  const find = (keys: ReadonlyArray<Key>) => read(({ customers }) => found(customers, keys))
  return {
    find,
    lock: find,
    lockByEmail: (keys) =>
      read(({ customers }) =>
        Table.getEachBy(customers, "e-mail", keys.map(({ email, orgId }) => within(orgId, email)))
      ),
    list: ({ after, limit, orgId, q }) => {
      const search = q === undefined ? undefined : Search.read(q)
      return read((tables) =>
        firstOf(
          Table.range(tables.customers, "created", orgId, { order: "desc", below: after }),
          limit,
          (customer) =>
            search === undefined ||
            Search.finds(search, Search.wordsOf(customer), referencesOf(tables, customer))
        )
      )
    },
    put: (rows) => write((tables) => ({ ...tables, customers: putOfOrg(tables, tables.customers, rows) }))
  }
})

const referencesOf = ({ bookings }: Tables, { id, orgId }: Customer): ReadonlyArray<string> =>
  [...Table.range(bookings, "ofCustomer", within(orgId, id))].map(({ reference }) => reference)
