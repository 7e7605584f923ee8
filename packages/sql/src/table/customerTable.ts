import type { Customer } from "@trailbook/core/customer/Customer"
import { toSearchTerms } from "@trailbook/core/customer/customerSearch"
import * as Fields from "../Fields.ts"
import * as Table from "../Table.ts"

export const customerTable = Fields.table<Customer>()({
  name: "customers",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    email: "text",
    name: "text",
    phone: "text",
    notes: "text",
    metadata: "json",
    createdAt: "instant",
    provenAt: "instant?",
    unprovenMails: "json",
    erasedAt: "instant?"
  }
})

/**
 * The written columns, including the search words. Each word follows a space, so a prefix search is a search for a
 * space and the prefix. Null, which this version never writes, marks a row whose words are not computed yet.
 */
export const customerWriteTable = Table.make({
  ...customerTable,
  columns: { ...customerTable.columns, words: "text" },
  encode: (customer: Customer) => ({
    ...customerTable.encode(customer),
    words: toSearchTerms(customer).map(behindSpace).join("")
  })
})

export const behindSpace = (word: string): string => ` ${word}`
