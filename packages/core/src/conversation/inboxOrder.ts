/**
 * The order of the inbox. Conversations that need a reply come first, followed by all other conversations. In each
 * group, the newest conversations come first. Snoozed conversations come last, in the same order.
 *
 * The order depends on the time, because snoozes expire. The cursor contains the time of the first page so that later
 * pages use the same order.
 */
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import { invalid, type Refusal } from "../Refusal.ts"
import * as Instant from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import { isSnoozed, needsReply } from "./Conversation.ts"
import type { ListedConversation } from "./ListedConversation.ts"

/** The four groups of the list, in order. */
export const inboxRanks = [
  { snoozed: false, lastBy: "guest" },
  { snoozed: false, lastBy: "outfitter" },
  { snoozed: true, lastBy: "guest" },
  { snoozed: true, lastBy: "outfitter" }
] as const

/** A position in the list as of a certain time. */
export interface InboxCursor extends Position {
  /** The index in {@link inboxRanks}. */
  readonly rank: number
}

export const toInboxCursor = (conversation: ListedConversation["conversation"], now: Instant.Instant): InboxCursor => ({
  rank: (isSnoozed(conversation, now) ? 2 : 0) + (needsReply(conversation) ? 0 : 1),
  at: conversation.lastAt,
  id: conversation.id
})

/** Compares two positions. The result is negative if `a` comes first. */
export const compareInInbox = (a: InboxCursor, b: InboxCursor): number =>
  a.rank - b.rank || b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

export const writeCursor = (now: Instant.Instant, { at, id, rank }: InboxCursor): string =>
  Encoding.encodeBase64Url(`conversations ${now} ${rank} ${at} ${id}`)

export const readCursor = (
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
