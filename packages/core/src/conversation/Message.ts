import type { Writer } from "../actor/attribution.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * @category models
 */
export const directions = ["to_guest", "to_outfitter"] as const

/**
 * @category models
 */
export type Direction = (typeof directions)[number]

/**
 * A note stays with the outfitter.
 *
 * @category models
 */
export const messageKinds = ["message", "note"] as const

/**
 * @category models
 */
export type MessageKind = (typeof messageKinds)[number]

/**
 * How it travelled. What the service writes by itself is `system`.
 *
 * @category models
 */
export const channels = ["page", "email", "api", "system"] as const

/**
 * @category models
 */
export type Channel = (typeof channels)[number]

/**
 * @category models
 */
export interface Message {
  readonly id: string
  readonly orgId: string
  readonly conversationId: string
  /** What it is about; null when it is about the guest in general. */
  readonly bookingId: string | null
  readonly customerId: string | null
  readonly direction: Direction
  /** To guests: the subject that is mailed. Of guests: that of their email without "Re:", or empty. */
  readonly subject: string
  readonly body: string
  /** What was cut off a mail as quotation. */
  readonly cut: string
  /** The ops agent, and the service on behalf of the outfitter, are `agent`. */
  readonly sentBy: Writer
  readonly channel: Channel
  readonly kind: MessageKind
  /** When the other side read it. */
  readonly readAt: Instant | null
  /** To guests: when their mail server took it, and when it came back or was called spam. Both may be set. */
  readonly deliveredAt: Instant | null
  readonly failedAt: Instant | null
  /** What the other server said when it failed. */
  readonly failure: string | null
  /** Of guests: the name and e-mail that they gave. */
  readonly fromName: string | null
  readonly fromEmail: string | null
  /** Of what guests send: the same for each copy of one mail or form. Of mails: what an answer is in reply to. */
  readonly mailKey: string | null
  readonly mailId: string | null
  /** Of mails to guests: the secret in their envelope sender, `bounce+<token>`. */
  readonly bounceToken: string | null
  readonly broadcastId: string | null
  readonly createdAt: Instant
}

/**
 * @category constructors
 */
export const make = (
  given:
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
  ...given
})

/**
 * Whether a person wrote it to another: neither a note nor the service's own words.
 *
 * @category calculating
 */
export const isOfPeople = ({ channel, kind }: Pick<Message, "channel" | "kind">): boolean =>
  kind === "message" && channel !== "system"

/**
 * The same message when its guest is erased: nothing is left of what it said, or of who said it.
 *
 * @category calculating
 */
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
