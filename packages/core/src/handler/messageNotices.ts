import * as Effect from "effect/Effect"
import { ConversationStore } from "../conversation/ConversationStore.ts"
import { ConversationWriter } from "../conversation/ConversationWriter.ts"
import { isOfPeople, type Message } from "../conversation/message/Message.ts"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import { Ids } from "../port/Ids.ts"
import { TenantScope } from "../port/TenantScope.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { noticeTasks } from "../staff/noticeTasks.ts"
import { StaffStore } from "../staff/StaffStore.ts"
import * as Handler from "../task/Handler.ts"
import { TaskStore } from "../task/TaskStore.ts"
import { currentTime } from "../time/currentTime.ts"

/** How many of the newest messages, including the outfitter's, are searched for the guest's last message. */
const maxSearched = 500

/**
 * Closes a conversation's pending notice, which contains the guest's messages since the last notice. The conversation
 * is locked, so a message is either in this notice or starts the next one. Each staff member gets a separate task.
 */
export const messageNotices = Effect.gen(function*() {
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
          const lastId = (latest.find(isOfGuest) ?? first).id
          const people = yield* staff.list(orgId)
          yield* tasks.add(noticeTasks(ids, people, { kind: "mail.staff", orgId, aboutId: first.id, lastId, dueAt }))
        })),
        "done" as const
      ).pipe(Effect.provideService(TenantScope, [orgId]))
  })
})

export const isOfGuest = (message: Message): boolean => message.direction === "to_outfitter" && isOfPeople(message)
