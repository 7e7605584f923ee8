import type { MessageAuthor } from "../../actor/Actor.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Conversation } from "../Conversation.ts"

export const messageDirections = ["to_guest", "to_outfitter"] as const

export type MessageDirection = (typeof messageDirections)[number]

/** A note is visible only to the outfitter. */
export const messageKinds = ["message", "note"] as const

export type MessageKind = (typeof messageKinds)[number]

/** A message's channel. Automatic messages from the service use `system`. */
export const channels = ["page", "email", "api", "system"] as const

export type Channel = (typeof channels)[number]

export interface Message {
  readonly id: string
  readonly orgId: string
  readonly conversationId: string
  /** The booking that the message is about. Null if it is not about a particular booking. */
  readonly bookingId: string | null
  readonly customerId: string | null
  readonly direction: MessageDirection
  /**
   * For messages to guests: the subject of the email. For messages from guests: the subject of their email without
   * "Re:", or empty.
   */
  readonly subject: string
  readonly body: string
  /** The quoted text that was removed from an email. */
  readonly cut: string
  /** `agent` means the ops agent, or the service on behalf of the outfitter. */
  readonly sentBy: MessageAuthor
  readonly channel: Channel
  readonly kind: MessageKind
  /** When the recipient read the message. */
  readonly readAt: Instant | null
  /**
   * For messages to guests: when the mail server accepted the email, and when the email bounced or was reported as
   * spam. Both times can be set.
   */
  readonly deliveredAt: Instant | null
  readonly failedAt: Instant | null
  /** The receiving mail server's response to a failed email. */
  readonly failure: string | null
  /** For messages from guests: the sender's name and email address. */
  readonly fromName: string | null
  readonly fromEmail: string | null
  /**
   * For messages from guests: `mailKey` is the same for all copies of an email or form, and `mailId` is the Message-ID
   * that replies reference.
   */
  readonly mailKey: string | null
  readonly mailId: string | null
  /** For emails to guests: the secret in the envelope sender, `bounce+<token>`. */
  readonly bounceToken: string | null
  readonly broadcastId: string | null
  readonly createdAt: Instant
}

export const make = (
  fields:
    & Pick<
      Message,
      "id" | "orgId" | "conversationId" | "customerId" | "direction" | "body" | "sentBy" | "channel" | "createdAt"
    >
    & Partial<Message>
): Message => ({
  bookingId: null,
  subject: "",
  cut: "",
  kind: "message",
  readAt: null,
  deliveredAt: null,
  failedAt: null,
  failure: null,
  fromName: null,
  fromEmail: null,
  mailKey: null,
  mailId: null,
  bounceToken: null,
  broadcastId: null,
  ...fields
})

/** Returns whether one person wrote the message to another. Notes and automatic messages are excluded. */
export const isWrittenByPerson = ({ channel, kind }: Pick<Message, "channel" | "kind">): boolean =>
  kind === "message" && channel !== "system"

/** Removes a message's text and personal data when its guest is erased. */
export const redactMessage = (message: Message): Message => ({
  ...message,
  subject: "",
  body: "",
  cut: "",
  failure: null,
  fromName: message.fromName === null ? null : "",
  fromEmail: message.fromEmail === null ? null : "",
  mailId: null
})

/** The maximum length of the API's `subject` field, minus the prefix. */
const maxTopic = 196

/** Prefixes that mail programs add to the subject of a reply or a forwarded email, in several languages. */
const prefixes = /^(?:(?:re|aw|sv|antw|rv|res|rif|fwd?|wg|tr)(?:\[\d+\])?\s*:\s*)+/i

/** Returns the subject without reply prefixes. The result is the same for all emails in a mail thread. */
export const stripReplyPrefixes = (subject: string): string =>
  Array.from(subject.trim().replace(prefixes, "")).slice(0, maxTopic).join("").trim()

/**
 * Returns the subject for a reply to the guest's latest message. An email about a booking or a broadcast has its own
 * subject and starts a mail thread. Only a reply uses "Re:" with the subject of the guest's message, so that mail
 * programs group the two emails.
 */
export const formatReplySubject = ({ subject }: Pick<Conversation, "subject">): string => `Re: ${subject}`

/** Returns whether an email to a guest continues a mail thread. */
export const hasReplySubject = ({ subject }: Pick<Message, "subject">): boolean => subject.startsWith("Re: ")
