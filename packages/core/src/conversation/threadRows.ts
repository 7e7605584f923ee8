/** Builds a thread's rows, oldest first: messages, notes, and the events for the guest's bookings. */
import * as Schema from "effect/Schema"
import { bookingEvents } from "../booking/bookingEvents.ts"
import type { StoredEvent } from "../port/EventLog.ts"
import * as Instant from "../time/Instant.ts"
import { withDescription } from "../wire/Field.ts"
import { optionalField, Timestamp } from "../wire/View.ts"
import type { MessageWithAttachments } from "./message/loadMessageAttachments.ts"
import { BookingSummary, bookingSummary, MessageView, messageView } from "./message/MessageView.ts"

const types = bookingEvents.map(({ type }) => type)

/** A row in a thread. `message` is set for messages and notes. `event` and `booking` are set for booking events. */
export const ThreadRow = Schema.Struct({
  type: withDescription("the row type", Schema.Literal("message", "note", "booking"), "message"),
  at: withDescription(
    "when the message was written or the booking event happened",
    Timestamp,
    "2027-04-12T18:03:11.482Z"
  ),
  message: optionalField("the message or note", MessageView),
  event: optionalField("the type of the booking event", Schema.Literal(...types)),
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
const isType = Schema.is(Schema.Literal(...types))

const bookingRow = ({ createdAt, data, type }: StoredEvent): ReadonlyArray<ThreadRow> =>
  isType(type) && isSummary(data)
    ? [{ type: "booking", at: Instant.format(createdAt), event: type, booking: bookingSummary(data) }]
    : []
