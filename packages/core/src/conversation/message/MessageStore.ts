import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Position } from "../../wire/Cursor.ts"
import type { Direction, Message } from "./Message.ts"
import type { UnreachedGuest, UnreachedQuery } from "./UnreachedGuest.ts"

/**
 * A message refers to a conversation of its org and, if present, to a booking and a customer of the org. Mail keys are
 * unique within the org, bounce tokens in the service, and a broadcast has one message per customer. Storing a message
 * that breaks this is a defect.
 */
export class MessageStore extends Context.Tag("@trailbook/core/MessageStore")<
  MessageStore,
  {
    /** Returns each message once, in any order. Missing keys are omitted. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Message>>
    /** Finds the message that this email was stored as. */
    readonly findByMailKey: (orgId: string, mailKey: string) => Effect.Effect<Option.Option<Message>>
    /** Finds the message with this bounce token in any org. */
    readonly findByBounceToken: (token: string) => Effect.Effect<Option.Option<Message>>
    /** The messages of a broadcast to these customers, in any order. */
    readonly findOfBroadcast: (
      orgId: string,
      broadcastId: string,
      customerIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Message>>
    /** The bookings whose guests were not reached (`findUnreachedGuest`), ordered by start and ID. */
    readonly unreached: (query: UnreachedQuery) => Effect.Effect<ReadonlyArray<UnreachedGuest>>
    /** Ordered by creation and ID, oldest first, after a position. */
    readonly list: (query: {
      readonly orgId: string
      readonly conversationId?: string | undefined
      readonly bookingId?: string | undefined
      readonly customerId?: string | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Message>>
    /** The newest messages of a conversation, newest first. */
    readonly latest: (conversation: OrgKey, limit: number) => Effect.Effect<ReadonlyArray<Message>>
    /** Inserts each message, or replaces the one with its key. Keys must be distinct. */
    readonly put: (messages: ReadonlyArray<Message>) => Effect.Effect<void>
    /** Replaces messages, and leaves no copy of the old rows. */
    readonly erase: (messages: ReadonlyArray<Message>) => Effect.Effect<void>
    /** Sets the read time of the unread messages of a conversation in one direction. */
    readonly markRead: (conversation: OrgKey, direction: Direction, at: Instant) => Effect.Effect<void>
    /** Moves all messages of a conversation to another one, or the same one, and to this customer. */
    readonly move: (
      conversation: OrgKey,
      to: { readonly conversationId: string; readonly customerId: string }
    ) => Effect.Effect<void>
  }
>() {}
