import type { Customer } from "@trailbook/core/customer/Customer"
import { customer } from "../../generator/customer.ts"
import { incrementCreatedAt, makeLock, readByKeys, readPages, toOrgKey } from "../row/Entity.ts"
import { makeRowLaws } from "../row/makeRowLaws.ts"
import { sortNewestFirst, toCreationPosition } from "../rowAssertions.ts"
import * as Store from "../Store.ts"

export const customerLaws = makeRowLaws<Customer>({
  key: "customers",
  name: "a customer",
  row: customer,
  put: Store.customers.put,
  reads: {
    find: readByKeys(Store.customers.find, toOrgKey),
    list: readPages(Store.customers.list, sortNewestFirst, toCreationPosition)
  },
  locks: {
    lock: makeLock("locks/customer", readByKeys(Store.customers.lock, toOrgKey), incrementCreatedAt),
    lockByEmail: makeLock(
      "locks/email",
      readByKeys(
        Store.customers.lockByEmail,
        ({ email, orgId }) => ({ orgId, email }),
        { hasKey: ({ erasedAt }) => erasedAt === null }
      ),
      incrementCreatedAt,
      "its email address"
    )
  },
  uniqueKeys: [{
    name: "email address",
    rejectedIn: "org",
    toFields: ({ email, erasedAt }) => erasedAt === null ? { email, erasedAt } : undefined
  }]
})
