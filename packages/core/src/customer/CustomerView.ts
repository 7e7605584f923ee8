import * as Schema from "effect/Schema"
import * as Event from "../port/Event.ts"
import { withDescription } from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { exampleIds, guestId, Id, Metadata, personal, Timestamp } from "../wire/View.ts"
import { type Customer, getContactEmail } from "./Customer.ts"

/** A customer as the API returns it. */
export const CustomerView = Schema.Struct({
  id: withDescription("its ID", guestId(Id), exampleIds.customer),
  org_id: withDescription("the outfitter", Id, exampleIds.org),
  email: withDescription(
    "the lowercase email address, unique per guest, or empty for a walk-in without an address",
    personal(Schema.String),
    "ada@example.com"
  ),
  name: withDescription("their name", personal(Schema.String), "Ada Park"),
  phone: withDescription("their phone number", personal(Schema.String), "+1 719 555 0142"),
  notes: withDescription("the outfitter's notes", personal(Schema.String), ""),
  metadata: withDescription("custom JSON data", personal(Metadata)),
  created_at: withDescription("when it was created", Timestamp, "2027-04-12T18:03:11.482Z")
}).annotations({ identifier: "Customer" })
export type CustomerView = typeof CustomerView.Type

const view = toView(CustomerView)

export const customerView = (customer: Customer): CustomerView =>
  view({ ...customer, email: getContactEmail(customer) })

export const customerEvents = [
  Event.make("customer.updated", { data: CustomerView, when: "A customer is added or changed." }),
  Event.make("customer.deleted", {
    data: CustomerView,
    when: "A customer's personal data is erased at their request. Delete your copies too.",
    extraData: "empty strings in place of personal data"
  })
] as const
