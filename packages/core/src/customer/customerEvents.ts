import * as Event from "../port/Event.ts"
import { CustomerView } from "./CustomerView.ts"

export const customerEvents = [
  Event.make("customer.updated", { data: CustomerView, when: "A customer is added or changed." }),
  Event.make("customer.deleted", {
    data: CustomerView,
    when: "A customer's personal data is erased at their request. Delete your copies too.",
    extraData: "empty strings in place of personal data"
  })
] as const
