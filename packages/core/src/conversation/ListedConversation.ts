import * as Struct from "effect/Struct"
import type { Customer } from "../customer/Customer.ts"
import type { Conversation } from "./Conversation.ts"
import type { Message } from "./message/Message.ts"

/**
 * A conversation in a list. The item contains the guest and last-message fields that lists show, and omits the fields
 * that only emails need.
 */
export interface ListedConversation {
  readonly conversation: Omit<Conversation, UnlistedField>
  /** Undefined for a question asked before booking. */
  readonly customer: Pick<Customer, "id" | "name" | "email" | "phone"> | undefined
  /** The last message that a person wrote. Undefined until a person writes. */
  readonly last:
    | Pick<Message, "id" | "direction" | "kind" | "channel" | "sentBy" | "body" | "createdAt">
    | undefined
}

const unlistedFields = [
  "token",
  "subject",
  "ackedAt",
  "noticedAt",
  "unnoticedId",
  "bouncedAt",
  "movedTo",
  "link",
  "shown"
] as const
type UnlistedField = (typeof unlistedFields)[number]

/** Creates a list item that contains only the listed fields, so that all storages return the same rows. */
export const toListedConversation = (
  conversation: ListedConversation["conversation"] & Partial<Pick<Conversation, UnlistedField>>,
  customer: ListedConversation["customer"],
  last: ListedConversation["last"]
): ListedConversation => ({
  conversation: Struct.omit(conversation, ...unlistedFields),
  customer: customer && Struct.pick(customer, "id", "name", "email", "phone"),
  last: last && Struct.pick(last, "id", "direction", "kind", "channel", "sentBy", "body", "createdAt")
})
