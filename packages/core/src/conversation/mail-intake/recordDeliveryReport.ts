/**
 * Records the delivery result for an email to a guest. The message stores the result, and the conversation stores
 * whether the guest can be reached.
 *
 * Emails that are not messages, such as confirmations, use the conversation's own token. If such an email fails, a note
 * is added to the thread and the staff are notified. Further failures are ignored until an email is delivered again.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { EventLog } from "../../port/EventLog.ts"
import { Ids } from "../../port/Ids.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { makeStaffNotificationTasks } from "../../staff/Notifier.ts"
import { StaffStore } from "../../staff/StaffMember.ts"
import { TaskStore } from "../../task/Tasks.ts"
import { currentTime } from "../../time/currentTime.ts"
import type { Instant } from "../../time/Instant.ts"
import { BroadcastStore, isAboutDeparture } from "../broadcast/Broadcast.ts"
import type { Conversation } from "../Conversation.ts"
import { ConversationStore } from "../ConversationStore.ts"
import { ConversationWriter } from "../ConversationWriter.ts"
import { findConversationByReplyToken, makeLoadGuestContact, provideTenantScope } from "../findConversation.ts"
import type { Message } from "../message/Message.ts"
import { MessageStore } from "../message/MessageStore.ts"

/** The delivery result for an email. */
export interface DeliveryReport {
  /**
   * The token in the envelope sender, `bounce+<token>`. It belongs to the message or, for other emails, to the
   * conversation.
   */
  readonly bounceToken: string
  readonly outcome: "delivered" | "failed" | "complained"
  /** The receiving mail server's response, on one line. Null if it is unknown or if nothing failed. */
  readonly failure: string | null
}

/**
 * Records a report. The first `delivered` and the first `failed` report for a message are kept. Unknown tokens are
 * ignored.
 */
export const makeRecordDeliveryReport = Effect.gen(function*() {
  const broadcasts = yield* BroadcastStore
  const { decide, addOutbound } = yield* ConversationWriter
  const loadGuestContact = yield* makeLoadGuestContact
  const ids = yield* Ids
  const log = yield* EventLog
  const messages = yield* MessageStore
  const staff = yield* StaffStore
  const store = yield* ConversationStore
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork

  const notify = (orgId: string, aboutId: string, dueAt: Instant) =>
    Effect.flatMap(
      staff.list(orgId),
      (staffMembers) =>
        tasks.add(makeStaffNotificationTasks(ids, staffMembers, { kind: "mail.staff", orgId, aboutId, dueAt }))
    )

  /**
   * Returns whether the staff are notified if this message fails. A broadcast about an offering can have thousands of
   * recipients, so the staff are not notified of failures.
   */
  const needsNotice = ({ broadcastId: id, orgId }: Message) =>
    id === null ? Effect.succeed(true) : Effect.map(
      broadcasts.find({ orgId, id }),
      Option.match({ onNone: () => true, onSome: isAboutDeparture })
    )

  const recordOnMessage = (
    { failure, outcome }: DeliveryReport,
    { bounceToken, conversationId: id, orgId }: Message
  ) =>
    Effect.gen(function*() {
      const [conversation] = yield* store.lock([{ orgId, id }])
      const message = Option.getOrUndefined(yield* messages.findByBounceToken(bounceToken ?? ""))
      if (conversation === undefined || message === undefined) return
      const at = yield* currentTime
      yield* decide(conversation, toReportedCommand(outcome, at))
      if (outcome === "delivered") {
        if (message.deliveredAt === null) yield* messages.put([{ ...message, deliveredAt: at }])
      } else if (message.failedAt === null) {
        // The server's response can contain the email address, so it is not stored for an erased guest.
        const isErased = (yield* loadGuestContact(conversation)).email === ""
        yield* messages.put([{ ...message, failedAt: at, failure: isErased ? null : failure }])
        if (yield* needsNotice(message)) yield* notify(orgId, message.id, at)
      }
      yield* log.touch(orgId)
    })

  const recordOnConversation = ({ failure, outcome }: DeliveryReport, target: Conversation) =>
    Effect.gen(function*() {
      const [conversation] = yield* store.lock([target])
      // A different token means that the guest was erased.
      if (conversation === undefined || conversation.token !== target.token) return
      const { email } = yield* loadGuestContact(conversation)
      if (email === "" || (outcome === "delivered") === (conversation.bouncedAt === null)) return
      const { orgId } = conversation
      const at = yield* currentTime
      const reportedConversation = yield* decide(conversation, toReportedCommand(outcome, at))
      if (outcome !== "delivered") {
        const id = ids.uuid()
        yield* addOutbound([{
          conversation: reportedConversation,
          id,
          body: outcome === "complained"
            ? `${email} marked an email about a booking as spam.`
            : `An email about a booking did not reach ${email}${failure === null ? "." : `: ${failure}`}`,
          sentBy: "agent",
          channel: "system",
          kind: "note"
        }])
        yield* notify(orgId, id, at)
      }
      yield* log.touch(orgId)
    })

  return (report: DeliveryReport): Effect.Effect<void> =>
    Effect.gen(function*() {
      const message = Option.getOrUndefined(yield* messages.findByBounceToken(report.bounceToken))
      if (message !== undefined) return yield* provideTenantScope(message.orgId)(run(recordOnMessage(report, message)))
      const conversation = yield* findConversationByReplyToken(store)(report.bounceToken)
      if (conversation !== undefined) {
        yield* provideTenantScope(conversation.orgId)(run(recordOnConversation(report, conversation)))
      }
    })
})

const toReportedCommand = (outcome: DeliveryReport["outcome"], at: Instant) =>
  ({ _tag: "Reported", outcome: outcome === "delivered" ? outcome : "failed", at }) as const
