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
 * Stores conversations. A conversation must reference an existing org and, if it has a customer, a customer in that
 * org. Within an org, a customer has at most one conversation. The email addresses in conversations without a customer
 * are also unique within an org, except for the empty address of erased guests. Tokens are unique across all orgs. A
 * write that violates these rules fails as a defect.
 */
export class ConversationStore extends Context.Tag("@trailbook/core/ConversationStore")<
  ConversationStore,
  {
    /** Returns each conversation once, in any order. Unknown keys are skipped. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Conversation>>
    /** Like `find`, but locks the conversations in ID order until the transaction ends. */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Conversation>>
    /** Finds the conversation with this token in any org. */
    readonly findByToken: (token: string) => Effect.Effect<Option.Option<Conversation>>
    /** Returns these customers' conversations, in any order. */
    readonly findByCustomer: (customers: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Conversation>>
    /**
     * Returns the conversations without a customer that have one of these email addresses, in any order. The empty
     * address matches no conversation.
     */
    readonly findByEmail: (
      keys: ReadonlyArray<Pick<Conversation, "orgId"> & { readonly email: string }>
    ) => Effect.Effect<ReadonlyArray<Conversation>>
    /**
     * Lists the conversations that contain a message from a person, in inbox order (`inboxOrder.ts`) as of `now`,
     * starting after a position. `q` selects conversations whose guest matches the customer search or that have a
     * matching message (`searchTerms.ts`).
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
    /**
     * Lists all conversations in an org, including empty ones, sorted by creation time and ID, starting after a
     * position.
     */
    readonly all: (
      orgId: string,
      after: Position | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Conversation>>
    /** Inserts or replaces conversations by key. The keys must be distinct. */
    readonly put: (conversations: ReadonlyArray<Conversation>) => Effect.Effect<void>
    /** Replaces conversations and leaves no copy of the old rows. */
    readonly erase: (conversations: ReadonlyArray<Conversation>) => Effect.Effect<void>
  }
>() {}
