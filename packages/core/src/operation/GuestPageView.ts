import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { computeDueNowCents, getOnlinePaymentCents } from "../booking/balance.ts"
import type { Booking } from "../booking/Booking.ts"
import { type BookingRecord, BookingView, bookingView } from "../booking/BookingView.ts"
import type { GuestPermissions } from "../booking/GuestAccess.ts"
import type { GuestThread } from "../conversation/GuestConversations.ts"
import type { MessageWithAttachments } from "../conversation/message/MessageView.ts"
import { AttachmentView } from "../file/StoredFile.ts"
import { getMapUrl, toMeetingPoint } from "../mail/MeetingPoint.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingView } from "../offering/OfferingView.ts"
import type { Org } from "../org/Org.ts"
import { OrgView } from "../org/OrgView.ts"
import * as Instant from "../time/Instant.ts"
import { withDescription } from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { Integer, Timestamp } from "../wire/View.ts"
import { PublicOrgView } from "./PublicPageView.ts"

const bookingFields = [
  "id",
  "reference",
  "handle",
  "status",
  "starts_at",
  "ends_at",
  "session_id",
  "quantity",
  "total_cents",
  "paid_cents",
  "due_cents",
  "notes",
  "created_at",
  "cancelled_at",
  "expires_at",
  "paid_at",
  "refund",
  "dispute",
  "check_in_url",
  "previous"
] as const

/** The org's public fields, and the page where its guests leave reviews. */
const GuestOrgView = Schema.Struct({ ...PublicOrgView.fields, review_url: OrgView.fields.review_url })

const GuestOfferingView = OfferingView.pick("id", "kind", "name", "description", "duration_minutes", "info")

const GuestMessageView = Schema.Struct({
  id: withDescription("its ID", Schema.String),
  from: withDescription(
    "the message author, or the service for automatic messages",
    Schema.Literal("guest", "outfitter", "service")
  ),
  subject: withDescription("the email subject, empty for messages from guests", Schema.String),
  body: withDescription("the text", Schema.String),
  attachments: withDescription("its files", Schema.Array(AttachmentView)),
  is_unread: withDescription("whether the message is unread by the guest", Schema.Boolean),
  created_at: withDescription("when the message was written", Timestamp)
})

/**
 * The fields that a guest page shows: the booking, the details entered for it, and its messages. The page does not show
 * any fields of the stored customer.
 */
export const GuestPageView = Schema.Struct({
  now: withDescription("the server time", Timestamp),
  org: GuestOrgView,
  booking: BookingView.pick(...bookingFields),
  offering: GuestOfferingView,
  periods: withDescription("the number of consecutive rental periods", Integer),
  payment_due: withDescription("whether the booking requires an online payment", Schema.Boolean),
  email_due: withDescription("whether the guest must open the emailed link to confirm the booking", Schema.Boolean),
  online_cents: withDescription(
    "the amount to pay online to confirm a hold, or the total already paid online",
    Integer
  ),
  is_paid: withDescription("whether an online payment has been received", Schema.Boolean),
  pays_balance: withDescription("whether the guest can pay the balance online", Schema.Boolean),
  place: withDescription(
    "the meeting point, or null if not set",
    Schema.NullOr(Schema.Struct({
      words: withDescription("the meeting point as text", Schema.String),
      map: withDescription("the URL of a map of the meeting point", Schema.NullOr(Schema.String))
    }))
  ),
  contact: withDescription(
    "the contact details, or null if none were given",
    Schema.NullOr(Schema.Struct({
      name: withDescription("their name", Schema.String),
      email: withDescription("their email", Schema.String),
      phone: withDescription("their phone", Schema.String)
    }))
  ),
  is_erased: withDescription("whether the guest's data was erased on request", Schema.Boolean),
  changes: Schema.Struct({
    may_move: withDescription("whether the guest can move the booking on this page", Schema.Boolean),
    may_cancel: withDescription("whether the guest can cancel the booking on this page", Schema.Boolean),
    until: withDescription(
      "the deadline for guest changes, or null if guests cannot change bookings",
      Schema.NullOr(Timestamp)
    ),
    back_cents: withDescription("the amount refunded on cancellation", Integer),
    refund_cents: withDescription("the part of back_cents that was paid online", Integer),
    policy: withDescription("the cancellation policy text, or empty if none", Schema.String)
  }),
  messages: withDescription(
    "the messages about this booking, or all of the guest's messages, oldest first",
    Schema.Array(GuestMessageView)
  ),
  is_whole: withDescription("whether all of the guest's messages are included", Schema.Boolean)
})
export type GuestPageView = typeof GuestPageView.Type

/** The data of a guest page, read in one snapshot. */
export interface GuestPage {
  readonly now: Instant.Instant
  readonly org: Org
  readonly offering: Offering
  readonly record: BookingRecord
  readonly changes: GuestPermissions
  readonly thread: GuestThread
}

export const guestPageView = ({ changes, now, offering, org, record, thread }: GuestPage): GuestPageView => {
  const { booking } = record
  const isErased = record.customer.email === ""
  const place = toMeetingPoint(offering)
  return {
    now: Instant.format(now),
    org: makeViewMapper(GuestOrgView)(org),
    booking: Struct.pick(bookingView(record), ...bookingFields),
    offering: makeViewMapper(GuestOfferingView)(offering),
    periods: booking.periods,
    payment_due: isPaymentDue(booking),
    email_due: booking.status === "held" && booking.unproven !== null && booking.unproven.confirmIn !== null,
    online_cents: booking.status === "held" ? computeDueNowCents(booking) : getOnlinePaymentCents(booking),
    is_paid: booking.paymentIntentId !== null,
    pays_balance: false,
    place: place === undefined ? null : { words: place.words, map: getMapUrl(place) ?? null },
    contact: isErased ? null : booking.contact,
    is_erased: isErased,
    changes: {
      may_move: changes.mayMove,
      may_cancel: changes.mayCancel,
      until: Instant.formatOrNull(changes.until),
      back_cents: changes.backCents,
      refund_cents: changes.refundCents,
      policy: booking.cancellationPolicy?.text ?? ""
    },
    messages: thread.messages.map(guestMessageView),
    is_whole: thread.isWhole
  }
}

const isPaymentDue = (booking: Booking): boolean => booking.status === "held" && booking.paymentDue

const guestMessageView = ({ attachments, message }: MessageWithAttachments): typeof GuestMessageView.Type => ({
  id: message.id,
  from: message.direction === "to_outfitter" ? "guest" : message.channel === "system" ? "service" : "outfitter",
  subject: message.subject,
  body: message.body,
  attachments,
  is_unread: message.direction === "to_guest" && message.readAt === null,
  created_at: Instant.format(message.createdAt)
})
