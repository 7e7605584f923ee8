import * as Effect from "effect/Effect"
import type { Customer } from "../customer/Customer.ts"
import { customerErasedRefusal } from "../customer/CustomerDecider.ts"
import { CustomerStore } from "../customer/CustomerStore.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import type { Refusal } from "../Refusal.ts"
import type { Conversation } from "./Conversation.ts"

/** Returns the contact data for a conversation's guest. All fields are empty if the guest was erased. */
export const makeLoadGuestContact = Effect.map(
  CustomerStore,
  (customers) => ({ customerId, fromEmail, fromName, orgId }: Conversation) =>
    customerId === null
      ? Effect.succeed({ name: fromName ?? "", email: fromEmail ?? "", phone: "" })
      : Effect.map(customers.find([{ orgId, id: customerId }]), ([customer]) => ({
        name: customer?.name ?? "",
        email: customer?.email ?? "",
        phone: customer?.phone ?? ""
      }))
)

/** Locks a customer. Fails if the customer was erased. */
export const lockCustomer = (
  customers: CustomerStore["Type"],
  key: OrgKey
): Effect.Effect<Customer, Refusal<"not_found" | "customer_erased">> =>
  Effect.flatMap(
    Effect.flatMap(customers.lock([key]), failIfNotFound("customer", key.id)),
    (customer) => customer.erasedAt === null ? Effect.succeed(customer) : customerErasedRefusal()
  )
