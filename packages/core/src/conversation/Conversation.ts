import * as Instant from "../time/Instant.ts"

export const conversationStatuses = ["open", "done"] as const

export type ConversationStatus = (typeof conversationStatuses)[number]

/**
 * The single thread with a guest, or with a person who asked a question before booking. The conversation's fields
 * summarize the messages so that lists and rules do not need to read them.
 */
export interface Conversation {
  readonly id: string
  readonly orgId: string
  /** The customer. Null until a guest with the address `fromEmail` books. */
  readonly customerId: string | null
  /**
   * The name and the lowercase email address of a person without a customer record. Null once a customer record exists.
   */
  readonly fromName: string | null
  readonly fromEmail: string | null
  /**
   * The secret in the reply address `reply+<token>`. It is unique across all orgs, and is replaced when the guest is
   * erased.
   */
  readonly token: string
  readonly status: ConversationStatus
  /** The subject of the guest's latest message, which replies use after "Re: ". It is empty until the guest writes. */
  readonly subject: string
  /** The last message that a person wrote, and its time. Notes and service messages do not count. */
  readonly lastMessageId: string | null
  readonly lastAt: Instant.Instant
  /** The side that wrote last. Null until a person writes. Until then, the conversation does not appear in any list. */
  readonly lastBy: "guest" | "outfitter" | null
  /** When the guest last wrote. */
  readonly guestAt: Instant.Instant | null
  readonly outfitterReadAt: Instant.Instant | null
  readonly guestReadAt: Instant.Instant | null
  /** Until this time, the conversation stays at the end of the list. */
  readonly snoozedUntil: Instant.Instant | null
  /** When the guest last got an acknowledgment. */
  readonly ackedAt: Instant.Instant | null
  /** When the staff were last notified of a message from the guest. */
  readonly noticedAt: Instant.Instant | null
  /** The first of the guest's messages in the pending notice, which a task sends. Null if no notice is pending. */
  readonly unnoticedId: string | null
  /** When an email to the guest failed permanently. Null again once a later email is delivered. */
  readonly bouncedAt: Instant.Instant | null
  /** For a question, the guest's conversation that it was merged into. New messages are added there. */
  readonly movedTo: string | null
  /** The last emailed link, if it is still unused, with its expiry. Only the digest of its secret is stored. */
  readonly link: ExpiringSecret | null
  /** The secret that lets the page where the last link was used show the entire conversation. */
  readonly pass: ExpiringSecret | null
  readonly createdAt: Instant.Instant
}

/** A secret with an expiry. */
export interface ExpiringSecret {
  /** The SHA-256 digest of the secret, in hex. */
  readonly digest: string
  readonly until: Instant.Instant
}

/** Creates a conversation without messages. */
export const make = (
  fields:
    & Pick<Conversation, "id" | "orgId" | "token" | "createdAt">
    & Partial<Pick<Conversation, "customerId" | "fromName" | "fromEmail">>
): Conversation => ({
  customerId: null,
  fromName: null,
  fromEmail: null,
  status: "open",
  subject: "",
  lastMessageId: null,
  lastAt: fields.createdAt,
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
  pass: null,
  ...fields
})

/** Returns whether the guest has written since the outfitter last read the conversation. */
export const isUnread = ({ guestAt, outfitterReadAt }: Pick<Conversation, "guestAt" | "outfitterReadAt">): boolean =>
  guestAt !== null && (outfitterReadAt === null || guestAt > outfitterReadAt)

/** The staff get at most one notice about a conversation within this many minutes. */
export const minStaffNotificationIntervalMinutes = 5

/**
 * Returns when to notify the staff of a message that a guest wrote at this time. If a notice is pending, the message
 * becomes part of that notice.
 */
export const getStaffNotificationTime = (
  { noticedAt, unnoticedId }: Pick<Conversation, "noticedAt" | "unnoticedId">,
  at: Instant.Instant
): { readonly _tag: "Now" } | { readonly _tag: "Pending" } | {
  readonly _tag: "Later"
  readonly at: Instant.Instant
} => {
  if (unnoticedId !== null) return { _tag: "Pending" }
  const nextNoticeAt = noticedAt === null ? at : Instant.addMinutes(noticedAt, minStaffNotificationIntervalMinutes)
  return nextNoticeAt <= at ? { _tag: "Now" } : { _tag: "Later", at: nextNoticeAt }
}

/** Returns whether the guest wrote last. */
export const needsReply = ({ lastBy }: Pick<Conversation, "lastBy">): boolean => lastBy === "guest"

export const isSnoozed = ({ snoozedUntil }: Pick<Conversation, "snoozedUntil">, now: Instant.Instant): boolean =>
  snoozedUntil !== null && snoozedUntil > now
