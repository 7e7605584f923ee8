import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import type { Direction, Message } from "./Message.ts"
import type { UnreachedGuest, UnreachedQuery } from "./UnreachedGuest.ts"

/**
 * A message refers to a conversation of its org, and to a booking and a customer of
 * it where it has them. No two of an org have one mail key, no two of the service one
 * bounce token, and a broadcast has one message for a customer. What breaks this is
 * not stored: that is a defect.
 *
 * @category ports
 */
export class MessageStore extends Context.Tag("@trailbook/core/MessageStore")<
  MessageStore,
  {
    /** Each once, however often its key is given, in any order. Keys that name none are left out. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Message>>
    /** The one that this mail became. */
    readonly findByMailKey: (orgId: string, mailKey: string) => Effect.Effect<Option.Option<Message>>
    /** The one whose mail this was, of whatever org. */
    readonly findByBounceToken: (token: string) => Effect.Effect<Option.Option<Message>>
    /** Those of a broadcast to these customers, in any order. */
    readonly findOfBroadcast: (
      orgId: string,
      broadcastId: string,
      customerIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Message>>
    /** The bookings whose guests were not reached (`findUnreachedGuest`), by start and ID. */
    readonly unreached: (query: UnreachedQuery) => Effect.Effect<ReadonlyArray<UnreachedGuest>>
    /** By creation and id, oldest first, after a position. */
    readonly list: (query: {
      readonly orgId: string
      readonly conversationId?: string | undefined
      readonly bookingId?: string | undefined
      readonly customerId?: string | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Message>>
    /** The newest of a conversation, newest first. */
    readonly latest: (conversation: OrgKey, limit: number) => Effect.Effect<ReadonlyArray<Message>>
    /** Inserts each message, or replaces the one with its key; no key is given twice. */
    readonly put: (messages: ReadonlyArray<Message>) => Effect.Effect<void>
    /** Replaces messages, and leaves no copy of what was there before. */
    readonly erase: (messages: ReadonlyArray<Message>) => Effect.Effect<void>
    /** Says of those of a conversation that went this way, and that nobody had read, when they were read. */
    readonly markRead: (conversation: OrgKey, direction: Direction, at: Instant) => Effect.Effect<void>
    /** Has all messages of a conversation be in this one, which may be the same, and to and from this customer. */
    readonly move: (
      conversation: OrgKey,
      to: { readonly conversationId: string; readonly customerId: string }
    ) => Effect.Effect<void>
  }
>() {}
