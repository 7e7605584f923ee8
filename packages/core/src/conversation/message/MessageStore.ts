import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Booking } from "../../booking/Booking.ts"
import { type Customer, hasPlaceholderEmail } from "../../customer/Customer.ts"
import { normalizeForSearch, unspacedScripts } from "../../customer/customerSearch.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Position } from "../../wire/Cursor.ts"
import { hasReplySubject, type Message, type MessageDirection } from "./Message.ts"

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
    /** Finds the message with this bounce token, in any org. */
    readonly findByBounceToken: (token: string) => Effect.Effect<Option.Option<Message>>
    /** Returns a broadcast's messages to these customers, in any order. */
    readonly findOfBroadcast: (
      orgId: string,
      broadcastId: string,
      customerIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Message>>
    /** Returns the bookings whose guests were not reached (`findUnreachedGuest`), ordered by start and ID. */
    readonly listUnreachedGuests: (query: UnreachedGuestsQuery) => Effect.Effect<ReadonlyArray<UnreachedGuest>>
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
    readonly markRead: (conversation: OrgKey, direction: MessageDirection, at: Instant) => Effect.Effect<void>
    /**
     * Moves all messages in a conversation to the conversation in `to` (possibly the same one), and assigns them to the
     * customer in `to`.
     */
    readonly move: (
      conversation: OrgKey,
      to: { readonly conversationId: string; readonly customerId: string }
    ) => Effect.Effect<void>
  }
>() {}

/** A booking whose guest did not get a message. */
export interface UnreachedGuest {
  readonly bookingId: string
  /** When the email failed or, if the guest has no address, when the booking was made. */
  readonly at: Instant
  /** The mail server's response. Null if it is unknown. */
  readonly failure: string | null
}

/**
 * Selects either the bookings that start in a time range, or the bookings in `bookingIds` plus all bookings for the
 * sessions in `sessionIds`.
 */
export type UnreachedGuestsQuery =
  & { readonly orgId: string; readonly limit: number }
  & (
    | { readonly from: Instant; readonly to: Instant }
    | { readonly bookingIds: ReadonlyArray<string>; readonly sessionIds: ReadonlyArray<string> }
  )

/** Returns whether a message's email failed. A server that accepted an email can still bounce it later. */
export const hasEmailFailed = ({ deliveredAt, failedAt }: Pick<Message, "deliveredAt" | "failedAt">): boolean =>
  failedAt !== null && (deliveredAt === null || deliveredAt <= failedAt)

/**
 * Returns why a booking's guest was not reached, or undefined if the guest was reached. There are three cases. First, a
 * message about the booking failed, and no later message from a person was delivered. A delivered reminder does not
 * make up for the failed message. Second, an email to the guest failed before the start, and no email was delivered
 * after it. Third, a guest without an email address counts as not reached until attendance is recorded. If a booking's
 * contact details include an email address, it is always the guest's address.
 */
export const findUnreachedGuest = (
  booking: Pick<Booking, "id" | "startsAt" | "status" | "attendance" | "contact" | "createdAt">,
  guest: Pick<Customer, "email">,
  bouncedAt: Instant | null,
  about: ReadonlyArray<Message>
): UnreachedGuest | undefined => {
  const { attendance, contact, createdAt, id: bookingId, startsAt, status } = booking
  if (status === "held") return undefined
  const last = about.filter((message) =>
    message.direction === "to_guest" && message.kind === "message" &&
    (hasEmailFailed(message) || (message.deliveredAt !== null && message.channel !== "system"))
  ).toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))[0]
  if (last !== undefined && last.failedAt !== null && hasEmailFailed(last)) {
    return { bookingId, at: last.failedAt, failure: last.failure }
  }
  if (bouncedAt !== null && bouncedAt < startsAt) return { bookingId, at: bouncedAt, failure: null }
  if (contact?.email || !hasPlaceholderEmail(guest) || attendance !== null) return undefined
  return { bookingId, at: createdAt, failure: null }
}

/**
 * Returns a message's words as every storage stores them for the full-text search, each preceded by a space. They are
 * the words in the subject and the body, in any script.
 *
 * Case, accents, and other marks are ignored. Every character that is neither a letter nor a digit separates words. In
 * scripts without spaces, each pair of adjacent letters counts as a word, and the last letter does too.
 *
 * A query is split the same way, and each of its parts must be a prefix of a word. Every storage stores the words as a
 * single string, and searches for a space followed by the part. All storages therefore return the same results,
 * whatever full-text search they offer.
 */
export const toMessageSearchTerms = ({ body, subject }: Pick<Message, "subject" | "body">): string =>
  // Skip a reply's subject, because it repeats the subject of the guest's message, and a search for its words would
  // find the entire thread.
  [...new Set(runs(hasReplySubject({ subject }) ? body : `${subject} ${body}`).flatMap(wordsOfRun))].map(behindBlank)
    .join("")

/**
 * Returns a query's parts, each preceded by a space. Only the first 12 parts are used. A query without letters or
 * digits matches nothing.
 */
export const parseQueryTerms = (q: string): ReadonlyArray<string> =>
  [...new Set(runs(q).flatMap(partsOfRun))].slice(0, maxParts).map(behindBlank)

/** Returns whether the words match every part. */
export const containsTerms = (parts: ReadonlyArray<string>, words: string): boolean =>
  parts.length > 0 && parts.every((part) => words.includes(part))

interface Run {
  readonly letters: ReadonlyArray<string>
  readonly isUnspaced: boolean
}

const runPattern = new RegExp(
  `(?:(?=[\\p{L}\\p{N}])[${unspacedScripts}])+|(?:(?![${unspacedScripts}])[\\p{L}\\p{N}])+`,
  "gu"
)
const beginsUnspaced = new RegExp(`^[${unspacedScripts}]`, "u")

const runs = (text: string): ReadonlyArray<Run> =>
  (normalizeForSearch(text).match(runPattern) ?? []).map((run) => ({
    letters: Array.from(run),
    isUnspaced: beginsUnspaced.test(run)
  }))

const wordsOfRun = ({ isUnspaced, letters }: Run): ReadonlyArray<string> =>
  isUnspaced ? letters.map((letter, at) => letter + (letters[at + 1] ?? "")) : [letters.slice(0, maxLength).join("")]

// Returns the parts of a run of letters. Omits the last single letter, because the pair before it already requires that
// letter.
const partsOfRun = (run: Run): ReadonlyArray<string> =>
  run.isUnspaced && run.letters.length > 1 ? wordsOfRun(run).slice(0, -1) : wordsOfRun(run)

const behindBlank = (word: string): string => ` ${word}`

/** The maximum number of parts. More parts rarely make a query more specific. */
const maxParts = 12

const maxLength = 64
