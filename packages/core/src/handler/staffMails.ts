import * as Effect from "effect/Effect"
import type { Conversation } from "../conversation/Conversation.ts"
import { ConversationStore } from "../conversation/ConversationStore.ts"
import { guests } from "../conversation/guests.ts"
import type { Message } from "../conversation/Message.ts"
import { MessageStore } from "../conversation/MessageStore.ts"
import { teamToken } from "../conversation/teamToken.ts"
import { oneLine } from "../mail/oneLine.ts"
import { teamAddress } from "../mail/replyAddress.ts"
import type { Org } from "../org/Org.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { Ids } from "../port/Ids.ts"
import { noticeSubject } from "../staff/noticeTasks.ts"
import type { StaffMember } from "../staff/StaffMember.ts"
import { StaffStore } from "../staff/StaffStore.ts"
import * as Handler from "../task/Handler.ts"
import { fiveDays } from "../task/patience.ts"
import type { Task } from "../task/Task.ts"
import { orgsOf } from "./orgsOf.ts"
import type { Options } from "./TaskHandlers.ts"
import { recipient, telling } from "./telling.ts"

interface Subject {
  readonly message: Message
  readonly conversation: Conversation
  readonly member: StaffMember
  readonly org: Org
}

/**
 * Tells the staff what a guest has written, in the guest's words. Where mail comes in,
 * a mail of it can be answered, and the guest gets the answer.
 *
 * @category handlers
 */
export const staffMails = ({ replyDomain }: Pick<Options, "replyDomain">) =>
  Effect.gen(function*() {
    const conversations = yield* ConversationStore
    const guestOf = yield* guests
    const ids = yield* Ids
    const messages = yield* MessageStore
    const orgs = yield* OrgStore
    const staff = yield* StaffStore
    const tell = yield* telling

    const read = (tasks: ReadonlyArray<Task>): Effect.Effect<ReadonlyArray<Subject | undefined>> =>
      Effect.gen(function*() {
        const asked = tasks.map((task) => ({ orgId: task.orgId, ...noticeSubject(task) }))
        const found = yield* messages.find(asked.map(({ aboutId: id, orgId }) => ({ orgId, id })))
        const threads = yield* conversations.find(found.map(({ conversationId: id, orgId }) => ({ orgId, id })))
        const outfitters = yield* orgsOf(orgs, tasks)
        const people = (yield* Effect.forEach(outfitters.keys(), staff.list)).flat()
        return asked.map(({ aboutId, orgId, staffId }) => {
          const message = found.find((row) => row.id === aboutId && row.orgId === orgId)
          const conversation = threads.find((row) => row.id === message?.conversationId && row.orgId === orgId)
          // Whoever has left, or wants to hear nothing any more, is told nothing.
          const member = people.find((row) => row.id === staffId && row.orgId === orgId && row.notify)
          const org = outfitters.get(orgId)
          return message && conversation && member && org && { message, conversation, member, org }
        })
      })

    return Handler.make({
      triedForMinutes: fiveDays,
      read,
      run: ({ id }, { conversation, member, message, org }) =>
        Effect.gen(function*() {
          const guest = yield* guestOf(conversation)
          if (guest.email === "") return "done" as const
          const who = oneLine(guest.name) || guest.email
          // What the service has noted is told of, and nobody answers it.
          const isNote = message.kind === "note"
          const address = isNote ? undefined : teamAddress(teamToken(ids, conversation.token, member.id), replyDomain)
          return yield* tell({
            id,
            about: isNote ? "undelivered" : "message",
            aboutId: message.id,
            org: { id: org.id, name: oneLine(org.name) },
            to: recipient(member),
            subject: isNote ? `A mail did not reach ${who}` : `${who} has written`,
            text: message.body,
            replyTo: address === undefined ? null : { name: who, email: address }
          })
        })
    })
  })
