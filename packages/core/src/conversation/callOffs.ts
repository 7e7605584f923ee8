import * as Effect from "effect/Effect"
import type { Booking } from "../booking/Booking.ts"
import type { Instant } from "../time/Instant.ts"
import { isCallOff } from "./Broadcast.ts"
import { BroadcastStore } from "./BroadcastStore.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { MessageStore } from "./MessageStore.ts"

/** How many messages of the guest are searched. */
const maxSearched = 100

/**
 * Whether the guest of a booking has a message that cancels the booking's session: written after the booking was
 * created and before it was canceled, at `canceledAt`. A failed message does not count, because the standard email is a
 * second attempt.
 */
export const callOffs = Effect.gen(function*() {
  const broadcasts = yield* BroadcastStore
  const conversations = yield* ConversationStore
  const messages = yield* MessageStore
  return ({ createdAt, customerId: id, orgId, sessionId }: Booking, canceledAt: Instant): Effect.Effect<boolean> =>
    Effect.gen(function*() {
      if (sessionId === null) return false
      const [conversation] = yield* conversations.findByCustomer([{ orgId, id }])
      if (conversation === undefined) return false
      const named = (yield* messages.latest(conversation, maxSearched)).flatMap((message) =>
        message.sentBy === "agent" && message.failedAt === null && message.createdAt >= createdAt &&
          message.createdAt <= canceledAt
          ? message.broadcastId ?? []
          : []
      )
      const found = yield* Effect.forEach(new Set(named), (id) => broadcasts.find({ orgId, id }))
      return found.some((broadcast) =>
        broadcast._tag === "Some" && isCallOff(broadcast.value) && "sessionId" in broadcast.value.target &&
        broadcast.value.target.sessionId === sessionId
      )
    })
})
