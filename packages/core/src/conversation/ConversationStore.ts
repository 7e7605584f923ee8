import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import type { Conversation, ConversationStatus } from "./Conversation.ts"
import type { InboxCursor } from "./inboxOrder.ts"
import type { ListedConversation } from "./ListedConversation.ts"

/**
 * A conversation refers to its org and, where it has one, to a customer of it. No
 * two of an org have one customer; no two without a customer have one e-mail, except for
 * the empty one of the erased; no two of the service have one token. What breaks
 * this is not stored: that is a defect.
 *
 * @category ports
 */
export class ConversationStore extends Context.Tag("@trailbook/core/ConversationStore")<
  ConversationStore,
  {
    /** Each once, however often its key is given, in any order. Keys that name none are left out. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Conversation>>
    /** Finds conversations as `find` does and keeps them from changing until the unit of work ends; locked in the order of ids. */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Conversation>>
    /** The one with this secret address, of whatever org. */
    readonly findByToken: (token: string) => Effect.Effect<Option.Option<Conversation>>
    /** Those of these customers, in any order. */
    readonly findByCustomer: (customers: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Conversation>>
    /** Those without a customer that have one of these e-mails, in any order; none has the empty one. */
    readonly findByEmail: (
      keys: ReadonlyArray<Pick<Conversation, "orgId"> & { readonly email: string }>
    ) => Effect.Effect<ReadonlyArray<Conversation>>
    /**
     * Those that people have written in, in the order of `Listing.ts` at the moment
     * `now`, after a position. With `q` those alone whose guest it finds
     * (`customer/Search.ts`) or that have a message that it finds (`words.ts`).
     */
    readonly list: (query: {
      readonly orgId: string
      readonly now: Instant
      readonly status?: ConversationStatus | undefined
      readonly unread?: boolean | undefined
      readonly customerId?: string | undefined
      readonly q?: string | undefined
      readonly after?: InboxCursor | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ListedConversation>>
    /** All of an org, also those that nobody has written in, by creation and id, after a position. */
    readonly all: (
      orgId: string,
      after: Position | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Conversation>>
    /** Inserts each conversation, or replaces the one with its key; no key is given twice. */
    readonly put: (conversations: ReadonlyArray<Conversation>) => Effect.Effect<void>
    /** Replaces conversations, and leaves no copy of what was there before. */
    readonly erase: (conversations: ReadonlyArray<Conversation>) => Effect.Effect<void>
  }
>() {}
