import * as Schema from "effect/Schema"
import { means } from "../wire/Field.ts"
import { viewOf } from "../wire/naming.ts"
import { guestId, Id, ids, Metadata, personal, Timestamp } from "../wire/View.ts"
import type { Customer } from "./Customer.ts"

/**
 * The customer on the wire.
 *
 * @category schemas
 */
export const CustomerView = Schema.Struct({
  id: means("its id", guestId(Id), ids.customer),
  org_id: means("the outfitter", Id, ids.org),
  email: means("one address; kept in lowercase, one guest each", personal(Schema.String), "ada@example.com"),
  name: means("their name", personal(Schema.String), "Ada Park"),
  phone: means("their phone number", personal(Schema.String), "+1 719 555 0142"),
  notes: means("free text for the outfitter", personal(Schema.String), ""),
  metadata: means("whatever you keep with it", personal(Metadata)),
  created_at: means("when it was made", Timestamp, "2027-04-12T18:03:11.482Z")
}).annotations({ identifier: "Customer" })
export type CustomerView = typeof CustomerView.Type

/**
 * @category converting
 */
export const customerView: (value: Customer) => CustomerView = viewOf(CustomerView)
