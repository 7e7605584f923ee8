/**
 * A mail that is no message, such as a confirmation, goes by the conversation's own
 * secret. That it did not reach the guest is a note in their thread, and the staff hear
 * of it: once, until something reaches the guest again.
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

/**
 * Writes down what became of such a mail, in a unit of work.
 *
 * @category effects
 */
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
      // After an erasure its secret is another one.
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
            ? `${email} has marked a mail about a booking as spam.`
            : `A mail about a booking did not reach ${email}${failure === null ? "." : `: ${failure}`}`,
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
