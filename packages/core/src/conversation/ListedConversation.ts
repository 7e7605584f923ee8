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
  readonly conversation: Omit<
    Conversation,
    "token" | "subject" | "ackedAt" | "bouncedAt" | "movedTo" | "link" | "shown"
  >
  /** Undefined on a question before booking. */
  readonly customer: Pick<Customer, "id" | "name" | "email" | "phone"> | undefined
  /** The last that a person wrote; undefined where nobody has. */
  readonly last:
    | Pick<Message, "id" | "direction" | "kind" | "channel" | "sentBy" | "body" | "createdAt">
    | undefined
}

/**
 * With nothing else of the guest and the message, so that rows from all storages are the same.
 *
 * @category constructors
 */
export const make = (
  conversation: ListedConversation["conversation"],
  customer: ListedConversation["customer"],
  last: ListedConversation["last"]
): ListedConversation => ({
  conversation: {
    id: conversation.id,
    orgId: conversation.orgId,
    customerId: conversation.customerId,
    fromName: conversation.fromName,
    fromEmail: conversation.fromEmail,
    status: conversation.status,
    lastMessageId: conversation.lastMessageId,
    lastAt: conversation.lastAt,
    lastBy: conversation.lastBy,
    guestAt: conversation.guestAt,
    outfitterReadAt: conversation.outfitterReadAt,
    guestReadAt: conversation.guestReadAt,
    snoozedUntil: conversation.snoozedUntil,
    createdAt: conversation.createdAt
  },
  customer: customer === undefined
    ? undefined
    : { id: customer.id, name: customer.name, email: customer.email, phone: customer.phone },
  last: last === undefined ? undefined : {
    id: last.id,
    direction: last.direction,
    kind: last.kind,
    channel: last.channel,
    sentBy: last.sentBy,
    body: last.body,
    createdAt: last.createdAt
  }
})
