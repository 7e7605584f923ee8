import * as Schema from "effect/Schema"
import { type BookingRecord, bookingView } from "../booking/BookingView.ts"
import { getContactEmail } from "../customer/Customer.ts"
import { CustomerView } from "../customer/CustomerView.ts"
import * as Instant from "../time/Instant.ts"
import { withDescription } from "../wire/Field.ts"
import { exampleIds, Id, personal, Timestamp } from "../wire/View.ts"
import { conversationStatuses, isUnread, needsReply } from "./Conversation.ts"
import type { ListedConversation } from "./ConversationStore.ts"
import { BookingSummary, bookingSummary, MessageView } from "./message/MessageView.ts"

/** A conversation with the guest, the last message, and the booking that its view shows. */
export interface ConversationRecord extends ListedConversation {
  readonly booking: BookingRecord | undefined
}

const LastMessage = Schema.Struct({
  ...MessageView.pick("id", "direction", "kind", "channel", "sent_by").fields,
  body: withDescription(
    "the first 200 characters of the message",
    personal(Schema.String),
    "See you at the put-in at 8:45."
  ),
  created_at: MessageView.fields.created_at
})

const Guest = CustomerView.pick("id", "name", "email", "phone")

/** The API representation of a conversation. */
export const ConversationView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.conversation),
  status: withDescription(
    "the status. A message from the guest resets it to open",
    Schema.Literal(...conversationStatuses),
    "open"
  ),
  last_message_at: withDescription(
    "when a person last wrote in the conversation",
    Timestamp,
    "2027-04-12T18:03:11.482Z"
  ),
  outfitter_read_at: withDescription("when the outfitter last read the conversation", Schema.NullOr(Timestamp)),
  guest_read_at: withDescription("when the guest last read the conversation on their page", Schema.NullOr(Timestamp)),
  snoozed_until: withDescription(
    "when the snooze ends. Until then, the conversation is listed last unless the guest writes",
    Schema.NullOr(Timestamp)
  ),
  created_at: withDescription("when the conversation was created", Timestamp, "2027-04-12T18:03:11.482Z"),
  unread: withDescription("whether a message from the guest is newer than outfitter_read_at", Schema.Boolean),
  needs_reply: withDescription("whether the last message is from the guest", Schema.Boolean),
  from_name: withDescription(
    "the name given with a pre-booking question",
    personal(Schema.NullOr(Schema.String))
  ),
  from_email: withDescription(
    "the email address given with a pre-booking question",
    personal(Schema.NullOr(Schema.String))
  ),
  customer: withDescription("the guest, or null for a pre-booking question", Schema.NullOr(Guest)),
  last_message: withDescription("the last message written by a person, excluding notes", Schema.NullOr(LastMessage)),
  booking: withDescription(
    "the guest's next booking, or the latest booking if none is upcoming",
    Schema.NullOr(BookingSummary)
  )
}).annotations({ identifier: "Conversation" })
export type ConversationView = typeof ConversationView.Type

/** Written without `toView`, because an inbox page can have up to 500 conversations. */
export const conversationView = ({ booking, conversation, customer, last }: ConversationRecord): ConversationView => ({
  id: conversation.id,
  status: conversation.status,
  last_message_at: Instant.format(conversation.lastAt),
  outfitter_read_at: Instant.formatOrNull(conversation.outfitterReadAt),
  guest_read_at: Instant.formatOrNull(conversation.guestReadAt),
  snoozed_until: Instant.formatOrNull(conversation.snoozedUntil),
  created_at: Instant.format(conversation.createdAt),
  unread: isUnread(conversation),
  needs_reply: needsReply(conversation),
  from_name: conversation.fromName,
  from_email: conversation.fromEmail,
  customer: customer === undefined
    ? null
    : { id: customer.id, name: customer.name, email: getContactEmail(customer), phone: customer.phone },
  last_message: last === undefined ? null : lastMessageView(last),
  booking: booking === undefined ? null : bookingSummary(bookingView(booking))
})

const lastMessageView = (last: NonNullable<ConversationRecord["last"]>): typeof LastMessage.Type => ({
  id: last.id,
  direction: last.direction,
  kind: last.kind,
  channel: last.channel,
  sent_by: last.sentBy,
  body: truncateBody(last.body),
  created_at: Instant.format(last.createdAt)
})

const maxBodyCharacters = 200

/**
 * Returns the beginning of a text. Characters are counted in place, because splitting every text in a long list takes
 * longer than building the rest of the view.
 */
const truncateBody = (text: string): string => {
  let end = 0
  for (let count = 0; count < maxBodyCharacters && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
