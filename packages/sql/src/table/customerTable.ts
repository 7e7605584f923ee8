/**
 * @since 0.1.0
 */
import type { Customer } from "@trailbook/core/customer/Customer"
import * as Table from "../Table.ts"

/**
 * @since 0.1.0
 * @category tables
 */
export const customerTable = Table.make({
  name: "customers",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    email: "text",
    name: "text",
    phone: "text",
    notes: "text",
    metadata: "json",
    created_at: "instant",
    erased_at: "instant?"
  },
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
