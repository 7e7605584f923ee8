import * as Effect from "effect/Effect"
import type { Conversation } from "../conversation/Conversation.ts"
import { ConversationStore } from "../conversation/ConversationStore.ts"
import type { Message } from "../conversation/message/Message.ts"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import type { Org } from "../org/Org.ts"
import type { Task } from "../task/Task.ts"
import { makeAttachOrg } from "./withOrg.ts"

/** The message for a task. */
export interface MessageSubject {
  readonly message: Message
  readonly conversation: Conversation
  readonly org: Org
}

/** Loads the messages for tasks, with their conversations. `idOf` returns the message ID of a task. */
export const messageSubjects = Effect.gen(function*() {
  const conversations = yield* ConversationStore
  const messages = yield* MessageStore
  const withOrgs = yield* makeAttachOrg
  return (
    tasks: ReadonlyArray<Task>,
    idOf: (task: Task) => string = ({ subjectId }) => subjectId
  ): Effect.Effect<ReadonlyArray<MessageSubject | undefined>> =>
    Effect.gen(function*() {
      const rows = yield* messages.find(tasks.map((task) => ({ orgId: task.orgId, id: idOf(task) })))
      const threads = yield* conversations.find(rows.map(({ conversationId: id, orgId }) => ({ orgId, id })))
      return yield* withOrgs(tasks, (task) => {
        const message = rows.find((row) => row.id === idOf(task) && row.orgId === task.orgId)
        const conversation = threads.find((row) => row.id === message?.conversationId && row.orgId === task.orgId)
        return message && conversation && { message, conversation }
      })
    })
})
