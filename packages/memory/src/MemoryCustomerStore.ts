import type { Customer } from "@trailbook/core/customer/Customer"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import * as Search from "@trailbook/core/customer/Search"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { firstOf } from "./firstOf.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { found, putOfOrg, type Tables, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<CustomerStore, never, MemoryDatabase> = Layer.effect(
  CustomerStore,
  Effect.map(MemoryDatabase, ({ read, write }) => {
    const find = (keys: ReadonlyArray<Key>) => read(({ customers }) => found(customers, keys))
    return CustomerStore.of({
      find,
      lock: find,
      lockByEmail: (keys) =>
        read(({ customers }) =>
          [...new Set(keys.map(({ email, orgId }) => within(orgId, email)))]
            .map((key) => Table.getBy(customers, "e-mail", key))
            .filter((customer) => customer !== undefined)
        ),
      list: ({ after, limit, orgId, q }) => {
        const search = q === undefined ? undefined : Search.read(q)
        return read((tables) =>
          firstOf(
            Table.range(tables.customers, "created", orgId, {
              order: "desc",
              ...(after === undefined ? {} : { below: after })
            }),
            limit,
            (customer) =>
              search === undefined ||
              Search.finds(search, Search.wordsOf(customer), referencesOf(tables, customer))
          )
        )
      },
      put: (rows) => write((tables) => ({ ...tables, customers: putOfOrg(tables, tables.customers, rows) }))
    })
  })
)

const referencesOf = ({ bookings }: Tables, { id, orgId }: Customer): ReadonlyArray<string> =>
  [...Table.range(bookings, "ofCustomer", within(orgId, id))].map(({ reference }) => reference)
