import * as Effect from "effect/Effect"
import { CustomerStore } from "../customer/CustomerStore.ts"
import type { Conversation } from "./Conversation.ts"

/**
 * Whom a conversation is with; nobody, without an address, when they were erased.
 *
 * @category reading
 */
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
