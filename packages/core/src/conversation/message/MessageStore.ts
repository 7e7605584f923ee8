import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Position } from "../../wire/Cursor.ts"
import type { Direction, Message } from "./Message.ts"
import type { UnreachedGuest, UnreachedQuery } from "./UnreachedGuest.ts"

/**
 * Stores messages. A message must reference a conversation in its org and, optionally, a booking and a customer in the
 * org. Mail keys are unique within the org, and bounce tokens are unique across all orgs. A broadcast has one message
 * per customer. A write that violates these rules fails as a defect.
 */
export class MessageStore extends Context.Tag("@trailbook/core/MessageStore")<
  MessageStore,
  {
    /** Returns each message once, in any order. Unknown keys are skipped. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Message>>
    /** Finds the message that was created from this email. */
    readonly findByMailKey: (orgId: string, mailKey: string) => Effect.Effect<Option.Option<Message>>
    /** Finds the message with this bounce token in any org. */
    readonly findByBounceToken: (token: string) => Effect.Effect<Option.Option<Message>>
    /** Returns a broadcast's messages to these customers, in any order. */
    readonly findOfBroadcast: (
      orgId: string,
      broadcastId: string,
      customerIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Message>>
    /** Returns the bookings whose guests were not reached (`findUnreachedGuest`), ordered by start and ID. */
    readonly unreached: (query: UnreachedQuery) => Effect.Effect<ReadonlyArray<UnreachedGuest>>
    /** Lists messages by creation time and ID, oldest first, starting after a position. */
    readonly list: (query: {
      readonly orgId: string
      readonly conversationId?: string | undefined
      readonly bookingId?: string | undefined
      readonly customerId?: string | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Message>>
    /** Returns the newest messages in a conversation, newest first. */
    readonly latest: (conversation: OrgKey, limit: number) => Effect.Effect<ReadonlyArray<Message>>
    /** Inserts or replaces messages by key. The keys must be distinct. */
    readonly put: (messages: ReadonlyArray<Message>) => Effect.Effect<void>
    /** Replaces messages and leaves no copy of the old rows. */
    readonly erase: (messages: ReadonlyArray<Message>) => Effect.Effect<void>
    /** Sets the read time of a conversation's unread messages in one direction. */
    readonly markRead: (conversation: OrgKey, direction: Direction, at: Instant) => Effect.Effect<void>
    /**
     * Moves all messages in a conversation to the conversation in `to`, which can be the same conversation, and assigns
     * them to the customer in `to`.
     */
    readonly move: (
      conversation: OrgKey,
      to: { readonly conversationId: string; readonly customerId: string }
    ) => Effect.Effect<void>
  }
>() {}
