/**
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import { Id, Metadata, personal, Timestamp } from "../wire/View.ts"
import type { Customer } from "./Customer.ts"

/**
 * The customer on the wire (§2.6).
 *
 * @since 0.1.0
 * @category schemas
 */
export const CustomerView = Schema.Struct({
  id: Id,
  org_id: Id,
  email: personal(Schema.String),
  name: personal(Schema.String),
  phone: personal(Schema.String),
  notes: personal(Schema.String),
  metadata: personal(Metadata),
  created_at: Timestamp
}).annotations({ identifier: "Customer" })
export type CustomerView = typeof CustomerView.Type

/**
 * @since 0.1.0
 * @category converting
 */
export const customerView = (customer: Customer): CustomerView => ({
  id: customer.id,
  org_id: customer.orgId,
  email: customer.email,
  name: customer.name,
  phone: customer.phone,
  notes: customer.notes,
  metadata: customer.metadata,
  created_at: Instant.format(customer.createdAt)
})
