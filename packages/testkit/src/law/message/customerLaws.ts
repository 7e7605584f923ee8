import type { Customer } from "@trailbook/core/customer/Customer"
import { assert } from "chai"
import * as FastCheck from "effect/FastCheck"
import { customer, email } from "../../generator/customer.ts"
import { lawForAll, makeLawsWithStoredData } from "../Law.ts"
import { assertSameRows, readAllPagesByCreation, sortNewestFirst } from "../rowAssertions.ts"
import { newId, storeInTwoOrgs } from "../seedOrg.ts"
import * as Store from "../Store.ts"

const customers = FastCheck.uniqueArray(customer, {
  maxLength: 12,
  selector: ({ email, id }) => email === "" ? id : email
})

const storeCustomers = (rows: ReadonlyArray<Customer>) => storeInTwoOrgs(rows, Store.customers.put, { name: "Twin" })

const customerLaw = makeLawsWithStoredData(storeCustomers)

export const customerLaws = [
  customerLaw(
    "customers/find",
    "returns every customer in full, including erased customers, exactly once and only to its own org",
    FastCheck.tuple(customers),
    function*({ kept, orgId }) {
      const keys = [...kept, { orgId, id: newId() }, { orgId: newId(), id: kept[0]?.id ?? newId() }]
      assertSameRows(yield* Store.customers.find(keys), kept)
      assertSameRows(yield* Store.customers.lock(keys.toReversed()), kept)
    }
  ),

  lawForAll(
    "customers/put",
    "replaces a customer when it is stored again, and frees the previous email address",
    FastCheck.tuple(customer, customer),
    function*([before, after]) {
      const { kept: [first], orgId } = yield* storeCustomers([before])
      if (first === undefined) return
      const replacement = { ...after, id: first.id, orgId }
      yield* Store.customers.put([replacement])
      assertSameRows(yield* Store.customers.find([first]), [replacement])
      const isEmailFree = first.email !== "" && first.email !== replacement.email
      if (isEmailFree) yield* Store.customers.put([{ ...first, id: newId() }])
    }
  ),

  customerLaw(
    "customers/lock-by-email",
    "finds the customer by email address in its own org, unless the customer is erased",
    FastCheck.tuple(customers, FastCheck.array(email)),
    function*({ kept, orgId }, otherEmails) {
      const emails = [...new Set([...kept.map(({ email }) => email), ...otherEmails])]
      assertSameRows(
        yield* Store.customers.lockByEmail(emails.map((email) => ({ orgId, email }))),
        kept.filter(({ erasedAt }) => erasedAt === null)
      )
      assert.deepStrictEqual(
        yield* Store.customers.lockByEmail(emails.map((email) => ({ orgId: newId(), email }))),
        []
      )
    }
  ),

  customerLaw(
    "customers/list",
    "lists every customer of an org, including erased ones, newest first",
    FastCheck.tuple(customers),
    function*({ kept, orgId }) {
      assert.deepStrictEqual(yield* Store.customers.list({ orgId, limit: 1000 }), sortNewestFirst(kept))
    }
  ),

  customerLaw(
    "customers/pages",
    "returns every customer in the list exactly once for any page size",
    FastCheck.tuple(customers, FastCheck.integer({ min: 1, max: 13 })),
    function*({ kept, orgId }, limit) {
      const pages = yield* readAllPagesByCreation(limit, (after) => Store.customers.list({ orgId, after, limit }))
      assert.deepStrictEqual(pages, sortNewestFirst(kept))
    }
  )
]
