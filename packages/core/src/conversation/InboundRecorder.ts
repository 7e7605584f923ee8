import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { attachFiles } from "../file/attachFiles.ts"
import { attachmentView } from "../file/AttachmentView.ts"
import { FileStore } from "../file/FileStore.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import type { Refusal } from "../Refusal.ts"
import { noticeTasks } from "../staff/noticeTasks.ts"
import { StaffStore } from "../staff/StaffStore.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/TaskStore.ts"
import { currentTime } from "../time/currentTime.ts"
import { type Conversation, whenToNotifyStaff } from "./Conversation.ts"
import { ConversationWriter, type InboundText } from "./ConversationWriter.ts"
import type { Message } from "./Message.ts"
import { messageEvent } from "./Messages.ts"

/** Records messages of guests from all channels. */
export class InboundRecorder extends Context.Tag("@trailbook/core/InboundRecorder")<
  InboundRecorder,
  {
    /**
     * Stores a message in a locked conversation, with the acknowledgment, the events, and the staff notification:
     * immediately, or in the next notice if one was sent within the last 5 minutes. Call it last in a transaction.
     */
    readonly hear: (
      conversation: Conversation,
      heard: InboundText
    ) => Effect.Effect<Message, Refusal<"not_found" | "attachment_used">>
  }
>() {
  static readonly layer = Layer.effect(
    InboundRecorder,
    Effect.gen(function*() {
      const correspondence = yield* ConversationWriter
      const ids = yield* Ids
      const log = yield* EventLog
      const orgs = yield* OrgStore
      const staff = yield* StaffStore
      const use = attachFiles(yield* FileStore)
      const tasks = yield* TaskStore

      return InboundRecorder.of({
        hear: (conversation, heard) =>
          Effect.gen(function*() {
            const org = yield* Effect.orDie(Effect.flatten(orgs.find(conversation.orgId)))
            const [message, ...answers] = yield* correspondence.hear(conversation, org, heard)
            if (message === undefined) {
              return yield* Effect.dieMessage("Invariant violated: inbound message not stored")
            }
            const { orgId } = message
            const dueAt = yield* currentTime
            const used = yield* use(orgId, heard.files ?? [], message.id)
            // The staff are not notified of machine-written messages.
            const notice = heard.automatic ? undefined : whenToNotifyStaff(conversation, message.createdAt)
            yield* tasks.add([
              ...(notice?._tag === "Now"
                ? noticeTasks(ids, yield* staff.list(orgId), { kind: "mail.staff", orgId, aboutId: message.id, dueAt })
                : []),
              ...(notice?._tag === "Later"
                ? [
                  Task.make({
                    id: ids.uuid(),
                    orgId,
                    kind: "notice.messages",
                    subjectId: conversation.id,
                    dueAt: notice.at
                  })
                ]
                : []),
              ...answers.map(({ id }) =>
                Task.make({ id: ids.uuid(), orgId, kind: "mail.message", subjectId: id, dueAt })
              )
            ])
            yield* log.append([
              messageEvent(message, used.map(attachmentView)),
              ...answers.map((row) => messageEvent(row))
            ])
            return message
          })
      })
    })
  )
}
