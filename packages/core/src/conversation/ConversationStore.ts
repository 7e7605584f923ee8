import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import type * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import type { Customer } from "../customer/Customer.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { invalid, type Refusal } from "../Refusal.ts"
import * as Instant from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import { type Conversation, type ConversationStatus, isSnoozed, needsReply } from "./Conversation.ts"
import type { Message } from "./message/Message.ts"

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
    /** Finds the conversation with this token, in any org. */
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
     * Lists the conversations that contain a message from a person, in inbox order ({@link inboxRanks}) as of `now`,
     * starting after a position. `q` selects conversations whose guest matches the customer search or that have a
     * matching message (`parseQueryTerms`).
     */
    readonly list: (query: {
      readonly orgId: string
      readonly now: Instant.Instant
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

/**
 * A conversation in a list. The item contains the guest and last-message fields that lists show, and omits the fields
 * that only emails need.
 */
export interface ListedConversation {
  readonly conversation: Omit<Conversation, UnlistedField>
  /** Undefined for a question asked before booking. */
  readonly customer: Pick<Customer, "id" | "name" | "email" | "phone"> | undefined
  /** The last message that a person wrote. Undefined until a person writes. */
  readonly last:
    | Pick<Message, "id" | "direction" | "kind" | "channel" | "sentBy" | "body" | "createdAt">
    | undefined
}

const unlistedFields = [
  "token",
  "subject",
  "ackedAt",
  "noticedAt",
  "unnoticedId",
  "bouncedAt",
  "movedTo",
  "link",
  "pass"
] as const
type UnlistedField = (typeof unlistedFields)[number]

/** Creates a list item that contains only the listed fields, so that all storages return the same rows. */
export const toListedConversation = (
  conversation: ListedConversation["conversation"] & Partial<Pick<Conversation, UnlistedField>>,
  customer: ListedConversation["customer"],
  last: ListedConversation["last"]
): ListedConversation => ({
  conversation: Struct.omit(conversation, ...unlistedFields),
  customer: customer && Struct.pick(customer, "id", "name", "email", "phone"),
  last: last && Struct.pick(last, "id", "direction", "kind", "channel", "sentBy", "body", "createdAt")
})

/**
 * The four groups of the inbox, in order. Conversations that need a reply come first, followed by all other
 * conversations. In each group, the newest conversations come first. Snoozed conversations come last, in the same
 * order.
 */
export const inboxRanks = [
  { snoozed: false, lastBy: "guest" },
  { snoozed: false, lastBy: "outfitter" },
  { snoozed: true, lastBy: "guest" },
  { snoozed: true, lastBy: "outfitter" }
] as const

/**
 * A position in the inbox as of a certain time. The order depends on the time, because snoozes expire. A cursor
 * contains the time of the first page so that later pages use the same order.
 */
export interface InboxCursor extends Position {
  /** The index in {@link inboxRanks}. */
  readonly rank: number
}

export const toInboxCursor = (conversation: ListedConversation["conversation"], now: Instant.Instant): InboxCursor => ({
  rank: (isSnoozed(conversation, now) ? 2 : 0) + (needsReply(conversation) ? 0 : 1),
  at: conversation.lastAt,
  id: conversation.id
})

/** Compares two positions. Negative if `a` comes first. */
export const compareInboxOrder = (a: InboxCursor, b: InboxCursor): number =>
  a.rank - b.rank || b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

export const encodeInboxCursor = (now: Instant.Instant, { at, id, rank }: InboxCursor): string =>
  Encoding.encodeBase64Url(`conversations ${now} ${rank} ${at} ${id}`)

export const decodeInboxCursor = (
  cursor: string
): Effect.Effect<{ readonly now: Instant.Instant; readonly after: InboxCursor }, Refusal<"invalid_request">> => {
  const text = Encoding.decodeBase64UrlString(cursor)
  const parts = text._tag === "Right" ? pattern.exec(text.right) : null
  const [, now, rank, at, id] = parts ?? []
  return id === undefined
    ? Effect.fail(invalid("cursor: must be the next_cursor of an earlier response to the same request"))
    : Effect.succeed({ now: Instant.make(Number(now)), after: { rank: Number(rank), at: Number(at), id } })
}

const pattern = /^conversations (\d{1,15}) ([0-3]) (\d{1,15}) ([0-9a-f-]{36})$/
