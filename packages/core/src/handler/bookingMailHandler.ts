import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { computeBalance } from "../booking/balance.ts"
import type { Booking } from "../booking/Booking.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import { deriveEmailLinkSecret } from "../booking/GuestAccess.ts"
import { BroadcastStore, isSessionCancellation } from "../conversation/broadcast/Broadcast.ts"
import type { Conversation } from "../conversation/Conversation.ts"
import { ConversationStore } from "../conversation/ConversationStore.ts"
import { ConversationWriter } from "../conversation/ConversationWriter.ts"
import { makeRecordDeliveryReport } from "../conversation/mail-intake/recordDeliveryReport.ts"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import { type Customer, CustomerStore, getContactEmail } from "../customer/Customer.ts"
import { renderAutomatedMail } from "../mail/automatedMail.ts"
import { CheckInCode, Mailer, makeReplyAddress } from "../mail/Mailer.ts"
import { toMeetingPoint } from "../mail/MeetingPoint.ts"
import { composeBookingMail } from "../mail/renderBookingMail.ts"
import { renderConfirmationMail } from "../mail/renderConfirmationMail.ts"
import { toSingleLine } from "../mail/toSingleLine.ts"
import type { Org } from "../org/Org.ts"
import { PaymentStore } from "../payment/Payment.ts"
import { Ids } from "../port/Ids.ts"
import { retryOnConflict, TenantScope, UnitOfWork } from "../port/UnitOfWork.ts"
import * as Handler from "../task/Handler.ts"
import type { TaskKind } from "../task/Task.ts"
import type { Instant } from "../time/Instant.ts"
import type { TaskHandlerOptions } from "./TaskHandlers.ts"
import { makeLoadBookingSubjects, runAsTask } from "./taskSubjects.ts"
import { makeUnprovenMailLimiter } from "./unprovenMailLimiter.ts"

/** Sends emails to guests about changes to their bookings. */
export const makeBookingMailHandler = ({ publicUrl, replyDomain }: TaskHandlerOptions) =>
  Effect.gen(function*() {
    const { findOfCustomer, ofCustomer } = yield* ConversationWriter
    const customers = yield* CustomerStore
    const mailer = yield* Mailer
    const payments = yield* PaymentStore
    const drawCode = Option.getOrUndefined(yield* Effect.serviceOption(CheckInCode))?.png
    const isCancellationAnnounced = yield* makeIsCancellationAnnounced
    const loadSubjects = yield* makeLoadBookingSubjects
    const recordReport = yield* makeRecordDeliveryReport
    const ids = yield* Ids
    const { ofBooking: findDelayEnd } = yield* makeUnprovenMailLimiter
    const { run } = yield* UnitOfWork

    /** Returns the guest's conversation. Erased guests have none. */
    const loadConversation = (
      { booking: { customerId: id, orgId } }: BookingRecord,
      find: (customer: Customer) => Effect.Effect<Conversation | undefined>
    ) =>
      run(Effect.flatMap(
        customers.lock([{ orgId, id }]),
        ([customer]) =>
          customer === undefined || customer.erasedAt !== null ? Effect.succeed(undefined) : find(customer)
      ))

    /**
     * Returns the addresses for replies and delivery reports. An earlier question from the same email address is merged
     * into the guest's conversation, even if inbound email is not set up.
     */
    const loadAddresses = (record: BookingRecord, { name }: Org) =>
      Effect.map(
        Effect.provideService(
          retryOnConflict(loadConversation(record, replyDomain === undefined ? findOfCustomer : ofCustomer)),
          TenantScope,
          [record.booking.orgId]
        ),
        (conversation) => {
          const email = conversation && makeReplyAddress(conversation.token, replyDomain)
          return conversation === undefined || email === undefined
            ? noAddresses
            : { replyTo: { name: toSingleLine(name), email }, bounceToken: conversation.token }
        }
      )

    return Handler.make({
      triedForMinutes: Handler.mailRetryLimitMinutes,
      read: loadSubjects,
      run: (task, { offering, org, record }) =>
        Effect.gen(function*() {
          const { booking, customer } = record
          // Erased guests and some walk-ins have no address.
          if (getContactEmail(customer) === "" || isObsolete(task.kind, booking)) return yield* Handler.taskDone
          // The ops agent's message already lists this booking, and a guest gets only one email per action.
          const isAnnounced = task.kind === "mail.cancelled" &&
            (yield* Effect.provideService(isCancellationAnnounced(booking, task.dueAt), TenantScope, [task.orgId]))
          if (isAnnounced) return yield* Handler.taskDone
          const laterAt = yield* findDelayEnd(task, booking)
          if (laterAt !== undefined) return { laterAt }
          const mailed = booking.unproven === null ? "" : `?mailed=${deriveEmailLinkSecret(ids, org, booking)}`
          const meetingPoint = offering && toMeetingPoint(offering)
          const confirmIn = booking.unproven?.confirmIn ?? null
          const mail = booking.status === "held" && confirmIn !== null
            ? renderAutomatedMail(
              task.id,
              customer,
              renderConfirmationMail(
                record,
                booking,
                meetingPoint,
                org,
                confirmIn,
                `${publicUrl}/b/${booking.handle}${mailed}`
              )
            )
            : composeBookingMail(task, task.kind, record, meetingPoint, org, publicUrl, {
              mailedSecret: mailed,
              drawCode,
              info: offering?.info,
              isBookable: offering?.active === true && offering.deletedAt === null,
              canReply: replyDomain !== undefined,
              payments: booking.status === "cancelled" ? yield* payments.ofBookings([booking]) : []
            })
          return yield* runAsTask(mailer.send({ ...mail, ...yield* loadAddresses(record, org) }))
        }),
      onPermanentFailure: (task, { message: failure }) =>
        Effect.gen(function*() {
          const [subject] = yield* loadSubjects([task])
          const conversation = subject && (yield* loadConversation(subject.record, ofCustomer))
          if (conversation === undefined) return
          yield* recordReport({ bounceToken: conversation.token, outcome: "failed", failure })
        })
    })
  })

const isCancelMail = (kind: TaskKind): boolean =>
  kind === "mail.cancelled" || kind === "mail.guest_cancelled" || kind === "mail.expired"

const noAddresses = { replyTo: null, bounceToken: null }

/**
 * Returns whether a later change has made the email obsolete. The guest then gets only the email about the later
 * change, even if the earlier one was delayed.
 */
const isObsolete = (kind: TaskKind, booking: Booking): boolean => {
  const { status } = booking
  return (status === "cancelled" && !isCancelMail(kind) && kind !== "mail.returned") ||
    (status === "confirmed" && kind === "mail.held") ||
    (kind === "mail.payment" && computeBalance(booking).dueCents === 0)
}

/** The maximum number of the guest's messages to search. */
const maxMessages = 100

/**
 * Returns whether a message has already told the guest that this booking's session is canceled. The message must have
 * been written after the booking was created and before it was canceled, at `canceledAt`. A failed message does not
 * count, because the standard email then serves as a second attempt.
 */
const makeIsCancellationAnnounced = Effect.gen(function*() {
  const broadcasts = yield* BroadcastStore
  const conversations = yield* ConversationStore
  const messages = yield* MessageStore
  return ({ createdAt, customerId: id, orgId, sessionId }: Booking, canceledAt: Instant): Effect.Effect<boolean> =>
    Effect.gen(function*() {
      if (sessionId === null) return false
      const [conversation] = yield* conversations.findByCustomer([{ orgId, id }])
      if (conversation === undefined) return false
      const broadcastIds = (yield* messages.latest(conversation, maxMessages)).flatMap((message) =>
        message.sentBy === "agent" && message.failedAt === null && message.createdAt >= createdAt &&
          message.createdAt <= canceledAt
          ? message.broadcastId ?? []
          : []
      )
      const sentBroadcasts = yield* Effect.forEach(new Set(broadcastIds), (id) => broadcasts.find({ orgId, id }))
      return sentBroadcasts.some((broadcast) =>
        broadcast._tag === "Some" && isSessionCancellation(broadcast.value) && "sessionId" in broadcast.value.target &&
        broadcast.value.target.sessionId === sessionId
      )
    })
})
