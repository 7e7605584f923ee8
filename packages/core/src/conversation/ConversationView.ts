import * as Schema from "effect/Schema"
import { bookingEvents, type BookingRecord, bookingView } from "../booking/BookingView.ts"
import { CustomerView, getContactEmail } from "../customer/Customer.ts"
import type { StoredEvent } from "../port/EventLog.ts"
import * as Instant from "../time/Instant.ts"
import { withDescription } from "../wire/Field.ts"
import { exampleIds, Id, optionalField, personal, Timestamp } from "../wire/View.ts"
import { conversationStatuses, isUnread, needsReply } from "./Conversation.ts"
import type { ListedConversation } from "./ConversationStore.ts"
import {
  BookingSummary,
  bookingSummary,
  MessageView,
  messageView,
  type MessageWithAttachments
} from "./message/MessageView.ts"

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

/** Written without `makeViewMapper`, because an inbox page can have up to 500 conversations. */
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

const bookingEventTypes = bookingEvents.map(({ type }) => type)

/** A row in a thread. `message` is set for messages and notes. `event` and `booking` are set for booking events. */
export const ThreadRow = Schema.Struct({
  type: withDescription("the row type", Schema.Literal("message", "note", "booking"), "message"),
  at: withDescription(
    "when the message was written or the booking event happened",
    Timestamp,
    "2027-04-12T18:03:11.482Z"
  ),
  message: optionalField("the message or note", MessageView),
  event: optionalField("the type of the booking event", Schema.Literal(...bookingEventTypes)),
  booking: optionalField("the booking at the time of the event", BookingSummary)
}).annotations({ identifier: "ThreadRow" })
export type ThreadRow = typeof ThreadRow.Type

/** Merges the newest messages and events, oldest first. Omits events whose booking cannot be read. */
export const mergeThreadRows = (
  messages: ReadonlyArray<MessageWithAttachments>,
  events: ReadonlyArray<StoredEvent>,
  limit: number
): ReadonlyArray<ThreadRow> =>
  [...messages.map(messageRow), ...events.flatMap(bookingRow)]
    // The sort is stable. If times are equal, messages come first, and each kind keeps its input order.
    .sort((a, b) => a.at < b.at ? -1 : a.at > b.at ? 1 : 0)
    .slice(-limit)

const messageRow = ({ attachments, message }: MessageWithAttachments): ThreadRow => {
  const view = messageView(message, attachments)
  return { type: view.kind, at: view.created_at, message: view }
}

const isSummary = Schema.is(BookingSummary)
const isBookingEventType = Schema.is(Schema.Literal(...bookingEventTypes))

const bookingRow = ({ createdAt, data, type }: StoredEvent): ReadonlyArray<ThreadRow> =>
  isBookingEventType(type) && isSummary(data)
    ? [{ type: "booking", at: Instant.format(createdAt), event: type, booking: bookingSummary(data) }]
    : []
