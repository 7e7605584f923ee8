import * as Effect from "effect/Effect"
import { isLive } from "../booking/Booking.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { getGuestName } from "../booking/BookingView.ts"
import { ConversationStore } from "../conversation/ConversationStore.ts"
import { ConversationWriter } from "../conversation/ConversationWriter.ts"
import { makeLoadGuestContact, makeStaffReplyToken } from "../conversation/findConversation.ts"
import { isWrittenByPerson, type Message } from "../conversation/message/Message.ts"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import { getContactEmail } from "../customer/Customer.ts"
import { makeStaffReplyAddress } from "../mail/Mailer.ts"
import { formatNameForMail, toSingleLine } from "../mail/toSingleLine.ts"
import { Ids } from "../port/Ids.ts"
import { TenantScope, UnitOfWork } from "../port/UnitOfWork.ts"
import { makeStaffNotificationTasks, parseStaffNotificationSubject } from "../staff/Notifier.ts"
import { StaffStore } from "../staff/StaffMember.ts"
import * as Handler from "../task/Handler.ts"
import type { Task } from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import { formatGuestLines, makeStaffNotificationHandler } from "./staffNotificationHandler.ts"
import type { TaskHandlerOptions } from "./TaskHandlers.ts"
import { makeLoadMailAttachments, makeLoadMessageSubjects, type MessageSubject } from "./taskSubjects.ts"

interface Subject extends MessageSubject {
  /** The ID of the last message, if the notice covers several. */
  readonly lastId: string | undefined
}

/**
 * The maximum number of messages in a notice. If there are more, the notice ends by stating that the conversation
 * contains more messages.
 */
const maxMessages = 200

const lowestId = "00000000-0000-0000-0000-000000000000"

const cutNotice = "The conversation contains more messages."

/**
 * Notifies the staff of a guest's messages, quoted verbatim. A notice contains one message, or all messages sent within
 * a few minutes. If inbound email is set up, a reply to the notice goes to the guest. If a message did not reach its
 * guest, the notice contains the guest's phone number.
 */
export const makeStaffMailHandler = (
  { replyDomain, staffUrl }: Pick<TaskHandlerOptions, "replyDomain"> & { readonly staffUrl: string }
) =>
  Effect.gen(function*() {
    const bookings = yield* BookingStore
    const loadAttachments = yield* makeLoadMailAttachments
    const loadGuest = yield* makeLoadGuestContact
    const ids = yield* Ids
    const messages = yield* MessageStore
    const loadSubjects = yield* makeLoadMessageSubjects

    const collectMessages = ({ lastId, message }: Subject) =>
      Effect.gen(function*() {
        const { conversationId, createdAt, orgId } = message
        const [last] = lastId === undefined ? [] : yield* messages.find([{ orgId, id: lastId }])
        if (last === undefined) return { bodies: [message.body], ids: [message.id] }
        // The timestamps of a guest's messages are distinct, so this range contains all messages in the notice.
        const after = { at: createdAt, id: lowestId }
        const rows = yield* messages.list({ orgId, conversationId, after, limit: maxMessages })
        const noticeMessages = rows.filter((row) => isGuestMessage(row) && row.createdAt <= last.createdAt)
        const isCut = rows.length === maxMessages && rows.every(({ id }) => id !== lastId)
        return {
          bodies: [...noticeMessages.map(({ body }) => body), ...(isCut ? [cutNotice] : [])],
          ids: noticeMessages.map(({ id }) => id)
        }
      })

    /** Returns the booking that the message is about, or else the guest's next booking. */
    const findRecord = ({ conversation: { customerId }, message: { bookingId: id, orgId } }: Subject) =>
      id !== null
        ? Effect.map(bookings.find([{ orgId, id }]), ([record]) => record)
        : customerId === null
        ? Effect.succeed(undefined)
        : Effect.gen(function*() {
          const from = yield* currentTime
          const guestBookings = yield* bookings.list({ orgId, customerId, from, order: "asc", limit: maxUpcoming })
          return guestBookings.find(({ booking }) => isLive(booking, from))
        })

    const readAll = (tasks: ReadonlyArray<Task>, getMessageId: (task: Task) => string) =>
      Effect.map(loadSubjects(tasks, getMessageId), (subjects) =>
        subjects.map((subject, at) => {
          const task = tasks[at]
          return subject && task && { ...subject, lastId: parseStaffNotificationSubject(task).lastId }
        }))

    return yield* makeStaffNotificationHandler(readAll, (subject, member) =>
      Effect.gen(function*() {
        const { conversation, message } = subject
        const contact = yield* loadGuest(conversation)
        if (contact.email === "") return undefined
        const guest = { ...contact, email: getContactEmail(contact) }
        const record = yield* findRecord(subject)
        const guestLabel = formatNameForMail(record === undefined ? guest.name : getGuestName(record)) || guest.email
        const url = `${staffUrl}/dashboard/inbox/${conversation.id}`
        if (isFailed(message)) {
          return {
            about: "undelivered",
            aboutId: message.id,
            subject: isCancellation(message)
              ? `Call ${guestLabel}: cancellation not delivered`
              : toSingleLine(`Not delivered to ${guestLabel}: ${message.subject || conversation.subject}`),
            text: `${describeFailure(message, guest.email)}\n\n${formatGuestLines(subject.org, { ...guest, record })}`,
            url
          }
        }
        const { bodies, ids: noticeIds } = yield* collectMessages(subject)
        if (noticeIds.length === 0) return undefined
        // A note from the service has no reply address.
        const isNote = message.kind === "note"
        const address = isNote
          ? undefined
          : makeStaffReplyAddress(makeStaffReplyToken(ids, conversation.token, member.id), replyDomain)
        const { attachments, omittedFiles } = yield* loadAttachments(message.orgId, noticeIds)
        return {
          about: isNote ? "undelivered" : "message",
          aboutId: message.id,
          subject: isNote
            ? `Email not delivered to ${guestLabel}`
            : bodies.length === 1
            ? `New message from ${guestLabel}`
            : `${bodies.length} new messages from ${guestLabel}`,
          // A message that contains only photos has no text.
          text: [
            ...bodies.filter((body) => body !== ""),
            ...guest.phone === "" && record === undefined ? [] : [formatGuestLines(subject.org, { ...guest, record })]
          ].join("\n\n"),
          attachments,
          omittedFiles: omittedFiles.map(({ name }) => toSingleLine(name) || "a file"),
          url,
          replyTo: address === undefined ? null : { name: guestLabel, email: address }
        }
      }))
  })

/** The maximum number of future bookings to search for a live one. */
const maxUpcoming = 20

const isCancellation = ({ sentBy, subject }: Message): boolean => sentBy === "agent" && subject.startsWith("Canceled: ")

const isFailed = ({ direction, failedAt, kind }: Message): boolean =>
  direction === "to_guest" && kind === "message" && failedAt !== null

const describeFailure = ({ body, failure, subject }: Message, email: string): string => {
  const reason = failure?.replace(/\.$/, "")
  return `“${subject || body.slice(0, 80)}” did not reach ${email}${reason ? `: ${reason}` : ""}.`
}

/** How many of the newest messages, including the outfitter's, are searched for the guest's last message. */
const maxSearched = 500

/**
 * Closes a conversation's pending notice, which contains the guest's messages since the last notice. The conversation
 * is locked, so a message is either in this notice or starts the next one. Each staff member gets a separate task.
 */
export const makeMessageNotificationHandler = Effect.gen(function*() {
  const conversations = yield* ConversationStore
  const correspondence = yield* ConversationWriter
  const ids = yield* Ids
  const messages = yield* MessageStore
  const staff = yield* StaffStore
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork

  return Handler.make({
    triedForMinutes: Infinity,
    read: (tasks) => Effect.succeed(tasks),
    run: (_, { orgId, subjectId: id }) =>
      Effect.as(
        run(Effect.gen(function*() {
          const [conversation] = yield* conversations.lock([{ orgId, id }])
          if (conversation === undefined || conversation.unnoticedId === null) return
          const [first] = yield* messages.find([{ orgId, id: conversation.unnoticedId }])
          const dueAt = yield* currentTime
          yield* correspondence.decide(conversation, { _tag: "Notify", at: dueAt })
          if (first === undefined) return
          // The messages may have moved to a customer's conversation in the meantime.
          const latest = yield* messages.latest({ orgId, id: first.conversationId }, maxSearched)
          const lastId = (latest.find(isGuestMessage) ?? first).id
          const people = yield* staff.list(orgId)
          yield* tasks.add(
            makeStaffNotificationTasks(ids, people, { kind: "mail.staff", orgId, aboutId: first.id, lastId, dueAt })
          )
        })),
        "done" as const
      ).pipe(Effect.provideService(TenantScope, [orgId]))
  })
})

const isGuestMessage = (message: Message): boolean => message.direction === "to_outfitter" && isWrittenByPerson(message)
