import type { Customer } from "@trailbook/core/customer/Customer"
import { wordsOf } from "@trailbook/core/customer/Search"
import * as Table from "../Table.ts"

const columns = {
  org_id: "text",
  id: "text",
  email: "text",
  name: "text",
  phone: "text",
  notes: "text",
  metadata: "json",
  created_at: "instant",
  erased_at: "instant?"
} as const

/**
 * @category tables
 */
export const customerTable = Table.make({
  name: "customers",
  key: ["org_id", "id"],
  columns,
  decode: (row): Customer => ({
    id: row.id,
    orgId: row.org_id,
    email: row.email,
    name: row.name,
    phone: row.phone,
    notes: row.notes,
    metadata: JSON.parse(row.metadata),
    createdAt: row.created_at,
    erasedAt: row.erased_at
  }),
  encode: (customer) => ({
    org_id: customer.orgId,
    id: customer.id,
    email: customer.email,
    name: customer.name,
    phone: customer.phone,
    notes: customer.notes,
    metadata: customer.metadata,
    created_at: customer.createdAt,
    erased_at: customer.erasedAt
  })
})

/**
 * A customer as it is written: with the words that find them, each behind a space,
 * so that one that begins with a part is found as the part behind a space. Null, which
 * this never writes, is a row whose words were not read yet.
 *
 * @category tables
 */
export const customerWriteTable = Table.make({
  ...customerTable,
  columns: { ...columns, words: "text" },
  encode: (customer: Customer) => ({
    ...customerTable.encode(customer),
    words: wordsOf(customer).map(behindSpace).join("")
  })
})

/**
 * @category encoding
 */
export const behindSpace = (word: string): string => ` ${word}`
