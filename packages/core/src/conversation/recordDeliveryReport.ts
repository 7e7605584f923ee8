/**
 * Records the delivery result of an email to a guest: on its message, and on the conversation whether the guest can be
 * reached.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { noticeTasks } from "../staff/noticeTasks.ts"
import { StaffStore } from "../staff/StaffStore.ts"
import { TaskStore } from "../task/TaskStore.ts"
import { currentTime } from "../time/currentTime.ts"
import { isAboutDeparture } from "./Broadcast.ts"
import { BroadcastStore } from "./BroadcastStore.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { ConversationWriter } from "./ConversationWriter.ts"
import type { DeliveryReport } from "./DeliveryReport.ts"
import { makeFindByReplyToken, withTenant } from "./findByReplyToken.ts"
import { makeGuestContact } from "./guestContact.ts"
import type { Message } from "./Message.ts"
import { MessageStore } from "./MessageStore.ts"
import { makeRecordBounce } from "./recordBounce.ts"

/**
 * Records a report. The first `delivered` and the first `failed` report of a message are kept. Unknown tokens are
 * ignored.
 */
export const makeRecordDeliveryReport = Effect.gen(function*() {
  const { decide } = yield* ConversationWriter
  const guestOf = yield* makeGuestContact
  const log = yield* EventLog
  const messages = yield* MessageStore
  const reached = yield* makeFindByReplyToken
  const store = yield* ConversationStore
  const { run } = yield* UnitOfWork
  const writeOfOther = yield* makeRecordBounce
  const broadcasts = yield* BroadcastStore
  const ids = yield* Ids
  const staff = yield* StaffStore
  const tasks = yield* TaskStore

  /** A broadcast about an offering can have thousands of guests, so its failures are not sent to the staff. */
  const notify = ({ broadcastId, failedAt: dueAt, id: aboutId, orgId }: Message) =>
    Effect.gen(function*() {
      const broadcast = broadcastId === null
        ? undefined
        : Option.getOrUndefined(yield* broadcasts.find({ orgId, id: broadcastId }))
      if (dueAt === null || (broadcast !== undefined && !isAboutDeparture(broadcast))) return
      yield* tasks.add(noticeTasks(ids, yield* staff.list(orgId), { kind: "mail.staff", orgId, aboutId, dueAt }))
    })

  const write = ({ failure, outcome }: DeliveryReport, { bounceToken, conversationId: id, orgId }: Message) =>
    Effect.gen(function*() {
      const [conversation] = yield* store.lock([{ orgId, id }])
      const message = Option.getOrUndefined(yield* messages.findByBounceToken(bounceToken ?? ""))
      if (conversation === undefined || message === undefined) return
      const at = yield* currentTime
      if (outcome === "delivered") {
        yield* decide(conversation, { _tag: "Reported", outcome, at })
        if (message.deliveredAt === null) yield* messages.put([{ ...message, deliveredAt: at }])
        yield* log.touch(orgId)
        return
      }
      yield* decide(conversation, { _tag: "Reported", outcome: "failed", at })
      // The response of the server can contain the address, so it is not stored for an erased guest.
      const told = (yield* guestOf(conversation)).email === "" ? null : failure
      if (message.failedAt === null) {
        const failed = { ...message, failedAt: at, failure: told }
        yield* messages.put([failed])
        yield* notify(failed)
      }
      yield* log.touch(orgId)
    })

  return (report: DeliveryReport): Effect.Effect<void> =>
    Effect.gen(function*() {
      const message = Option.getOrUndefined(yield* messages.findByBounceToken(report.bounceToken))
      if (message !== undefined) return yield* withTenant(message.orgId)(run(write(report, message)))
      const conversation = yield* reached(report.bounceToken)
      if (conversation !== undefined) yield* withTenant(conversation.orgId)(run(writeOfOther(report, conversation)))
    })
})
