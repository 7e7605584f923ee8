import * as Struct from "effect/Struct"
import type { Customer } from "../customer/Customer.ts"
import type { Conversation } from "./Conversation.ts"
import type { Message } from "./Message.ts"

/**
 * A conversation as a list shows it: with what it names of the guest and of the last
 * message, and without what only the mails of the conversation need.
 *
 * @category models
 */
export interface ListedConversation {
  readonly conversation: Omit<Conversation, Unlisted>
  /** Undefined on a question before booking. */
  readonly customer: Pick<Customer, "id" | "name" | "email" | "phone"> | undefined
  /** The last that a person wrote; undefined where nobody has. */
  readonly last:
    | Pick<Message, "id" | "direction" | "kind" | "channel" | "sentBy" | "body" | "createdAt">
    | undefined
}

const unlisted = [
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
type Unlisted = (typeof unlisted)[number]

/**
 * With nothing else of the guest and the message, so that rows from all storages are the same.
 *
 * @category constructors
 */
export const make = (
  conversation: ListedConversation["conversation"] & Partial<Pick<Conversation, Unlisted>>,
  customer: ListedConversation["customer"],
  last: ListedConversation["last"]
): ListedConversation => ({
  conversation: Struct.omit(conversation, ...unlisted),
  customer: customer && Struct.pick(customer, "id", "name", "email", "phone"),
  last: last && Struct.pick(last, "id", "direction", "kind", "channel", "sentBy", "body", "createdAt")
})
