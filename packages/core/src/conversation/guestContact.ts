import * as Effect from "effect/Effect"
import { CustomerStore } from "../customer/CustomerStore.ts"
import type { Conversation } from "./Conversation.ts"

/** The contact data of a conversation's guest. All fields are empty if the guest was erased. */
export const makeGuestContact = Effect.map(
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
