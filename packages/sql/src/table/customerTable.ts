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
 * A customer as it is written: with the words that find them, each behind a space,
 * so that one that begins with a part is found as the part behind a space. Null, which
 * this never writes, is a row whose words were not read yet.
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
