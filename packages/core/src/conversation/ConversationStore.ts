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
 * A conversation refers to its org and, if present, to a customer of the org. Within an org, customers are unique, and
 * so are the emails of conversations without a customer, except the empty email of erased guests. Tokens are unique in
 * the service. Storing a conversation that breaks this is a defect.
 */
export class ConversationStore extends Context.Tag("@trailbook/core/ConversationStore")<
  ConversationStore,
  {
    /** Returns each conversation once, in any order. Missing keys are omitted. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Conversation>>
    /** Like `find`, but locks the conversations until the transaction ends, in the order of their IDs. */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Conversation>>
    /** Finds the conversation with this token in any org. */
    readonly findByToken: (token: string) => Effect.Effect<Option.Option<Conversation>>
    /** The conversations of these customers, in any order. */
    readonly findByCustomer: (customers: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Conversation>>
    /**
     * The conversations without a customer that have one of these emails, in any order. The empty email matches none.
     */
    readonly findByEmail: (
      keys: ReadonlyArray<Pick<Conversation, "orgId"> & { readonly email: string }>
    ) => Effect.Effect<ReadonlyArray<Conversation>>
    /**
     * The conversations with at least one message of a person, in inbox order (`inboxOrder.ts`) as of `now`, after a
     * position. `q` selects conversations whose guest matches the customer search or that have a matching message
     * (`searchTerms.ts`).
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
    /** All conversations of an org, including those without messages, ordered by creation and ID, after a position. */
    readonly all: (
      orgId: string,
      after: Position | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Conversation>>
    /** Inserts each conversation, or replaces the one with its key. Keys must be distinct. */
    readonly put: (conversations: ReadonlyArray<Conversation>) => Effect.Effect<void>
    /** Replaces conversations, and leaves no copy of the old rows. */
    readonly erase: (conversations: ReadonlyArray<Conversation>) => Effect.Effect<void>
  }
>() {}
