import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { BookingStore } from "../booking/BookingStore.ts"
import { type BookingRecord, getGuestName } from "../booking/BookingView.ts"
import { BroadcastStore, isSessionCancellation } from "../conversation/broadcast/Broadcast.ts"
import { makeLoadGuestContact } from "../conversation/findConversation.ts"
import { makeRecordDeliveryReport } from "../conversation/mail-intake/recordDeliveryReport.ts"
import { deriveFileKey, getFileLinkPath } from "../conversation/message/FileLinks.ts"
import { hasReplySubject, type Message, stripReplyPrefixes } from "../conversation/message/Message.ts"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import { getContactEmail } from "../customer/Customer.ts"
import { type Mail, Mailer, type MailThread, makeMessageId, makeReplyAddress } from "../mail/Mailer.ts"
import { mapOrigin, toMeetingPoint } from "../mail/MeetingPoint.ts"
import { renderMessageMail } from "../mail/renderPlainMail.ts"
import { toICalendar } from "../mail/toICalendar.ts"
import { formatNameForMail, toSingleLine } from "../mail/toSingleLine.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { Ids } from "../port/Ids.ts"
import * as Handler from "../task/Handler.ts"
import * as Instant from "../time/Instant.ts"
import type { TaskHandlerOptions } from "./TaskHandlers.ts"
import {
  type LoadedAttachments,
  makeLoadMailAttachments,
  makeLoadMessageSubjects,
  type MessageSubject,
  runAsTask
} from "./taskSubjects.ts"

/** The maximum number of earlier emails that an email references. */
const maxReferences = 10

/** The maximum number of calendar events in an email. */
const maxCalendarEvents = 20

/** Emails messages to guests. A message fails if its email is rejected permanently, or after 5 days of retries. */
export const makeMessageMailHandler = ({ publicUrl, filesUrl = publicUrl, replyDomain }: TaskHandlerOptions) =>
  Effect.gen(function*() {
    const bookings = yield* BookingStore
    const broadcasts = yield* BroadcastStore
    const loadAttachments = yield* makeLoadMailAttachments
    const loadGuest = yield* makeLoadGuestContact
    const ids = yield* Ids
    const mailer = yield* Mailer
    const messages = yield* MessageStore
    const offerings = yield* OfferingStore
    const loadSubjects = yield* makeLoadMessageSubjects
    const recordReport = yield* makeRecordDeliveryReport

    /**
     * If the message is a reply, returns the earlier emails with the same subject. Without a reply domain, returns
     * null, because mail programs would not recognize the Message-IDs.
     */
    const loadThread = ({ conversation, message }: MessageSubject): Effect.Effect<MailThread | null> =>
      Effect.gen(function*() {
        if (replyDomain === undefined || !hasReplySubject(message)) return null
        const topic = stripReplyPrefixes(message.subject)
        const earlierMails = (yield* messages.latest(conversation, 4 * maxReferences))
          .filter(({ createdAt, id, kind, subject }) =>
            kind === "message" && id !== message.id && createdAt <= message.createdAt &&
            stripReplyPrefixes(subject) === topic
          )
          .flatMap((row) => {
            if (row.direction === "to_outfitter") return row.mailId === null ? [] : [{ row, id: row.mailId }]
            return [{ row, id: makeMessageId(row.id, replyDomain) }]
          })
          .slice(0, maxReferences)
        if (earlierMails.length === 0) return null
        const guestMessage = earlierMails.find(({ row }) => row.direction === "to_outfitter")
        return {
          inReplyTo: (guestMessage ?? earlierMails[0])?.id ?? null,
          references: earlierMails.map(({ id }) => id).toReversed()
        }
      })

    /**
     * Returns the calendar events for the ops agent's cancellation or move that this message announces to the guest.
     * The guest does not get the standard email about the change. A session's bookings are canceled after the message
     * is written.
     */
    const loadCalendar = ({ message, org }: MessageSubject, { booking: subjectBooking }: BookingRecord) =>
      Effect.gen(function*() {
        const { broadcastId, createdAt, orgId } = message
        if (message.sentBy !== "agent" || hasReplySubject(message)) return null
        const broadcast = broadcastId === null
          ? undefined
          : Option.getOrUndefined(yield* broadcasts.find({ orgId, id: broadcastId }))
        const isCanceled = subjectBooking.status === "cancelled" ||
          (broadcast !== undefined && isSessionCancellation(broadcast))
        if (!isCanceled && subjectBooking.previous === null) return null
        const range = { from: subjectBooking.startsAt, to: Instant.make(subjectBooking.startsAt + 1) }
        const guestBookings = yield* bookings.list({
          orgId,
          customerId: subjectBooking.customerId,
          ...range,
          order: "asc",
          limit: maxCalendarEvents
        })
        const [first, ...others] = guestBookings.flatMap((record): ReadonlyArray<BookingRecord> => {
          const { booking } = record
          const isSameDeparture = booking.sessionId === subjectBooking.sessionId &&
            booking.offeringId === subjectBooking.offeringId
          if (!isSameDeparture || booking.status === "held") return []
          return isCanceled
            ? [{ ...record, booking: { ...booking, status: "cancelled", cancelledAt: createdAt, keepCents: 0 } }]
            : booking.previous === null || booking.status === "cancelled"
            ? []
            : [record]
        })
        const [offering] = yield* offerings.find([{ orgId, id: subjectBooking.offeringId }])
        if (first === undefined) return null
        const meetingPoint = offering && toMeetingPoint(offering)
        return toICalendar([first, ...others], meetingPoint, org, ({ handle }) => `${publicUrl}/b/${handle}`, createdAt)
      })

    const composeMail = (
      subject: MessageSubject,
      to: Mail["to"],
      thread: MailThread | null,
      { attachments, omittedFiles }: LoadedAttachments,
      calendar: Mail["calendar"]
    ): Mail => {
      const { conversation, message, org } = subject
      const outfitter = toSingleLine(org.name)
      const address = makeReplyAddress(conversation.token, replyDomain)
      return {
        id: message.id,
        from: { name: outfitter },
        to,
        replyTo: address === undefined ? null : { name: outfitter, email: address },
        // Messages from earlier versions have no subject.
        subject: toSingleLine(message.subject || conversation.subject),
        ...renderMessageMail(
          message.body,
          [outfitter, ...(address === undefined ? [] : ["You can reply to this email."])],
          omittedFiles.map(({ id, name, orgId, size }) => ({
            name: toSingleLine(name),
            size,
            url: filesUrl + getFileLinkPath({ orgId, id, key: deriveFileKey(ids, message, id) ?? "" })
          })),
          undefined,
          [`${publicUrl}/`, mapOrigin, ...org.reviewUrl === null ? [] : [org.reviewUrl]]
        ),
        calendar,
        thread,
        // Keep autoresponders from replying. Only an acknowledgment is a reply.
        automatic: message.channel !== "system" ? "no" : hasReplySubject(message) ? "replied" : "generated",
        attachments,
        bounceToken: message.bounceToken
      }
    }

    const reportOutcome = (message: Message, outcome: "delivered" | "failed", failure: string | null) =>
      message.bounceToken === null
        ? Effect.void
        : recordReport({ bounceToken: message.bounceToken, outcome, failure })

    return Handler.make({
      triedForMinutes: Handler.mailRetryLimitMinutes,
      read: loadSubjects,
      run: (_, subject) =>
        Effect.gen(function*() {
          const guest = yield* loadGuest(subject.conversation)
          // Send nothing if the guest or the text was erased, or if the guest has no email address.
          if (getContactEmail(guest) === "" || subject.message.body === "") return "done" as const
          const { bookingId, orgId } = subject.message
          const [record] = bookingId === null ? [] : yield* bookings.find([{ orgId, id: bookingId }])
          const name = record === undefined ? guest.name : getGuestName(record)
          const to = { name: formatNameForMail(name), email: guest.email }
          const mail = composeMail(
            subject,
            to,
            yield* loadThread(subject),
            yield* loadAttachments(orgId, [subject.message.id]),
            record === undefined ? null : yield* loadCalendar(subject, record)
          )
          // Without delivery reports, acceptance by the mail server counts as delivery.
          return yield* runAsTask(
            Effect.tap(
              mailer.send(mail),
              ({ reportRequested }) => reportRequested ? Effect.void : reportOutcome(subject.message, "delivered", null)
            )
          )
        }),
      onPermanentFailure: ({ orgId, subjectId: id }, { message: failure }) =>
        Effect.flatMap(
          messages.find([{ orgId, id }]),
          ([message]) => message === undefined ? Effect.void : reportOutcome(message, "failed", failure)
        )
    })
  })
