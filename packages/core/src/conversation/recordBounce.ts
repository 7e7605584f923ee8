/**
 * Records the delivery of emails that are no messages, such as confirmations. They use the conversation's own token. A
 * failure adds a note to the thread and notifies the staff, once until an email is delivered again.
 */
import * as Effect from "effect/Effect"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import { noticeTasks } from "../staff/noticeTasks.ts"
import { StaffStore } from "../staff/StaffStore.ts"
import { TaskStore } from "../task/TaskStore.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Conversation } from "./Conversation.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { ConversationWriter } from "./ConversationWriter.ts"
import type { DeliveryReport } from "./DeliveryReport.ts"
import { makeGuestContact } from "./guestContact.ts"

/** Records the delivery result of such an email, in a transaction. */
export const makeRecordBounce = Effect.gen(function*() {
  const { decide, say } = yield* ConversationWriter
  const guestOf = yield* makeGuestContact
  const ids = yield* Ids
  const log = yield* EventLog
  const staff = yield* StaffStore
  const store = yield* ConversationStore
  const tasks = yield* TaskStore

  return ({ failure, outcome }: Omit<DeliveryReport, "bounceToken">, found: Conversation) =>
    Effect.gen(function*() {
      const [conversation] = yield* store.lock([found])
      // An erasure replaces the token.
      if (conversation === undefined || conversation.token !== found.token) return
      const { email } = yield* guestOf(conversation)
      if (email === "" || (outcome === "delivered") === (conversation.bouncedAt === null)) return
      const { orgId } = conversation
      const at = yield* currentTime
      const after = yield* decide(conversation, {
        _tag: "Reported",
        outcome: outcome === "delivered" ? outcome : "failed",
        at
      })
      if (outcome !== "delivered") {
        const notes = yield* say([{
          conversation: after,
          id: ids.uuid(),
          body: outcome === "complained"
            ? `${email} marked an email about a booking as spam.`
            : `An email about a booking did not reach ${email}${failure === null ? "." : `: ${failure}`}`,
          sentBy: "agent",
          channel: "system",
          kind: "note"
        }])
        const people = yield* staff.list(orgId)
        yield* tasks.add(
          notes.flatMap(({ id: aboutId }) =>
            noticeTasks(ids, people, { kind: "mail.staff", orgId, aboutId, dueAt: at })
          )
        )
      }
      yield* log.touch(orgId)
    })
})
