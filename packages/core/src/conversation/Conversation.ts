import * as Instant from "../time/Instant.ts"

/**
 * @category models
 */
export const conversationStatuses = ["open", "done"] as const

/**
 * @category models
 */
export type ConversationStatus = (typeof conversationStatuses)[number]

/**
 * The one thread of a guest, or of a question that somebody asked before they
 * booked. It keeps what lists and rules ask of its messages, so that neither reads
 * them: each is a fold of the thread.
 *
 * @category models
 */
export interface Conversation {
  readonly id: string
  readonly orgId: string
  /** Null until somebody with `fromEmail` books. */
  readonly customerId: string | null
  /** What a person without a customer gave as their name and e-mail, in lower case; null once there is one. */
  readonly fromName: string | null
  readonly fromEmail: string | null
  /** The secret in its address, `reply+<token>`. Unique in the whole service; another one after an erasure. */
  readonly token: string
  readonly status: ConversationStatus
  /** The subject of the guest's latest message, which replies use after "Re: ". Empty until the guest writes. */
  readonly subject: string
  /** The last message that a person wrote, and when: notes and the service's own words are none. */
  readonly lastMessageId: string | null
  readonly lastAt: Instant.Instant
  /** Null until a person has written: it is in no list. */
  readonly lastBy: "guest" | "outfitter" | null
  /** When the guest wrote last. */
  readonly guestAt: Instant.Instant | null
  readonly outfitterReadAt: Instant.Instant | null
  readonly guestReadAt: Instant.Instant | null
  /** Until then it stands at the end of the list. */
  readonly snoozedUntil: Instant.Instant | null
  /** When the guest was last told that their message has arrived. */
  readonly ackedAt: Instant.Instant | null
  /** When the staff were last notified of a message of the guest. */
  readonly noticedAt: Instant.Instant | null
  /** The first message of the guest that is in no notice yet. A task sends that notice. Null if no notice is pending. */
  readonly unnoticedId: string | null
  /** When a mail to the guest failed for good; null once one has arrived since. */
  readonly bouncedAt: Instant.Instant | null
  /** A question's: the conversation of the guest that all of it was taken into. What still comes here goes there. */
  readonly movedTo: string | null
  /** The link that was mailed last and not spent, and until when it opens; of its secret the digest alone. */
  readonly link: Pass | null
  /** What shows the guest all of it on the page where the last link was spent. */
  readonly shown: Pass | null
  readonly createdAt: Instant.Instant
}

/**
 * A secret that opens something for a time.
 *
 * @category models
 */
export interface Pass {
  /** SHA-256 of the secret, in hex. */
  readonly digest: string
  readonly until: Instant.Instant
}

/**
 * A conversation that nobody has written in.
 *
 * @category constructors
 */
export const make = (
  given:
    & Pick<Conversation, "id" | "orgId" | "token" | "createdAt">
    & Partial<Pick<Conversation, "customerId" | "fromName" | "fromEmail">>
): Conversation => ({
  customerId: null,
  fromName: null,
  fromEmail: null,
  status: "open",
  subject: "",
  lastMessageId: null,
  lastAt: given.createdAt,
  lastBy: null,
  guestAt: null,
  outfitterReadAt: null,
  guestReadAt: null,
  snoozedUntil: null,
  ackedAt: null,
  noticedAt: null,
  unnoticedId: null,
  bouncedAt: null,
  movedTo: null,
  link: null,
  shown: null,
  ...given
})

/**
 * A message of the guest is newer than what the outfitter has read.
 *
 * @category calculating
 */
export const isUnread = ({ guestAt, outfitterReadAt }: Pick<Conversation, "guestAt" | "outfitterReadAt">): boolean =>
  guestAt !== null && (outfitterReadAt === null || guestAt > outfitterReadAt)

/**
 * The staff get at most one notice about a conversation in this many minutes.
 *
 * @category constants
 */
export const noticeMinutes = 5

/**
 * When the staff are notified of a message that the guest writes at this moment. Messages that arrive before a pending
 * notice leaves are part of that notice, so they need no other.
 *
 * @category calculating
 */
export const whenToNotifyStaff = (
  { noticedAt, unnoticedId }: Pick<Conversation, "noticedAt" | "unnoticedId">,
  at: Instant.Instant
): { readonly _tag: "Now" } | { readonly _tag: "Pending" } | {
  readonly _tag: "Later"
  readonly at: Instant.Instant
} => {
  if (unnoticedId !== null) return { _tag: "Pending" }
  const next = noticedAt === null ? at : Instant.addMinutes(noticedAt, noticeMinutes)
  return next <= at ? { _tag: "Now" } : { _tag: "Later", at: next }
}

/**
 * The guest wrote last.
 *
 * @category calculating
 */
export const needsReply = ({ lastBy }: Pick<Conversation, "lastBy">): boolean => lastBy === "guest"

/**
 * @category calculating
 */
export const isSnoozed = ({ snoozedUntil }: Pick<Conversation, "snoozedUntil">, now: Instant.Instant): boolean =>
  snoozedUntil !== null && snoozedUntil > now
