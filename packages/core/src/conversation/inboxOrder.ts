/**
 * The order of the inbox: who waits for a reply first, then the newest first, and
 * what is snoozed last, in the same order among itself.
 *
 * A snooze ends by itself, so the order is that of one moment. Later pages go on in
 * the order of the first page's: its moment travels in the cursor.
 */
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import { invalid, type Refusal } from "../Refusal.ts"
import * as Instant from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import { isSnoozed, needsReply } from "./Conversation.ts"
import type { ListedConversation } from "./ListedConversation.ts"

/**
 * The four parts of the list, in their order.
 *
 * @category models
 */
export const inboxRanks = [
  { snoozed: false, lastBy: "guest" },
  { snoozed: false, lastBy: "outfitter" },
  { snoozed: true, lastBy: "guest" },
  { snoozed: true, lastBy: "outfitter" }
] as const

/**
 * A place in the list of a moment.
 *
 * @category models
 */
export interface InboxCursor extends Position {
  /** Which of the four parts. */
  readonly rank: number
}

/**
 * @category calculating
 */
export const toInboxCursor = (conversation: ListedConversation["conversation"], now: Instant.Instant): InboxCursor => ({
  rank: (isSnoozed(conversation, now) ? 2 : 0) + (needsReply(conversation) ? 0 : 1),
  at: conversation.lastAt,
  id: conversation.id
})

/**
 * Which of two places comes first: negative for the first.
 *
 * @category calculating
 */
export const compare = (a: InboxCursor, b: InboxCursor): number =>
  a.rank - b.rank || b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/**
 * @category formatting
 */
export const writeCursor = (now: Instant.Instant, { at, id, rank }: InboxCursor): string =>
  Encoding.encodeBase64Url(`conversations ${now} ${rank} ${at} ${id}`)

/**
 * @category parsing
 */
export const readCursor = (
  cursor: string
): Effect.Effect<{ readonly now: Instant.Instant; readonly after: InboxCursor }, Refusal<"invalid_request">> => {
  const decoded = Encoding.decodeBase64UrlString(cursor)
  const parts = decoded._tag === "Right" ? pattern.exec(decoded.right) : null
  const [, now, rank, at, id] = parts ?? []
  return id === undefined
    ? Effect.fail(invalid("cursor: must be the next_cursor of an earlier answer to the same question"))
    : Effect.succeed({ now: Instant.make(Number(now)), after: { rank: Number(rank), at: Number(at), id } })
}

const pattern = /^conversations (\d{1,15}) ([0-3]) (\d{1,15}) ([0-9a-f-]{36})$/
