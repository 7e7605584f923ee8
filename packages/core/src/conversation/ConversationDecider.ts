/**
 * The transitions of a conversation.
 *
 * A message of the guest reopens the conversation and ends its snooze. A message of the outfitter is a reply and
 * changes neither, because an outfitter can write in a closed conversation. Only messages of people count for `lastBy`:
 * a note or an acknowledgment is no reply and does not add the conversation to the list.
 *
 * A guest gets at most one acknowledgment in 24 hours.
 *
 * The staff are notified of a message immediately, unless they were notified within the last 5 minutes. Later messages
 * are combined into one notice after that.
 *
 * Timestamps never decrease, because two transactions can commit in a different order than they read the clock.
 */
import * as Either from "effect/Either"
import { changes, type Decider } from "../Decider.ts"
import * as Instant from "../time/Instant.ts"
import { type Conversation, type ConversationStatus, type Pass, whenToNotifyStaff } from "./Conversation.ts"

interface Written {
  readonly messageId: string
  readonly at: Instant.Instant
}

export type ConversationCommand =
  | { readonly _tag: "GuestWrote"; readonly topic: string } & Written
  | { readonly _tag: "OutfitterWrote" } & Written
  | { readonly _tag: "Acknowledge"; readonly at: Instant.Instant }
  /** The pending notice of the guest's messages is sent to the staff. */
  | { readonly _tag: "Notify"; readonly at: Instant.Instant }
  | {
    readonly _tag: "Mark"
    readonly at: Instant.Instant
    readonly status?: ConversationStatus | undefined
    /** True if the outfitter read everything, false to mark it unread. */
    readonly read?: boolean | undefined
    readonly snoozedUntil?: Instant.Instant | null | undefined
  }
  /** The guest saw everything on their page. */
  | { readonly _tag: "GuestRead"; readonly at: Instant.Instant }
  /** The delivery result of an email to the guest. */
  | { readonly _tag: "Reported"; readonly outcome: "delivered" | "failed"; readonly at: Instant.Instant }
  /** The sender of a question has become a customer. */
  | { readonly _tag: "Tie"; readonly customerId: string }
  /** Merges another conversation into this one. */
  | { readonly _tag: "TakeIn"; readonly other: Conversation }
  /**
   * The conversation was merged into another one, which gets its new messages, or its guest is gone (null). It is in no
   * list.
   */
  | { readonly _tag: "Leave"; readonly to: string | null }
  /** A link that shows the complete conversation is emailed. It replaces the previous link. */
  | { readonly _tag: "MailLink"; readonly link: Pass }
  /** A link was used. The new secret shows the complete conversation until it expires. */
  | { readonly _tag: "Show"; readonly shown: Pass }
  /** Erases the texts of the conversation. The old address accepts no more email. */
  | { readonly _tag: "Forget"; readonly token: string }

export interface ConversationEvent {
  readonly _tag: "Changed"
  readonly to: Partial<Conversation>
}

type Decisions = Decider<
  Conversation,
  ConversationCommand,
  ConversationEvent,
  { readonly [Tag in ConversationCommand["_tag"]]: never }
>

const nothing = Either.right([])

const change = (conversation: Conversation, to: Partial<Conversation>) =>
  changes(conversation, to) ? Either.right([{ _tag: "Changed" as const, to }]) : nothing

const later = (a: Instant.Instant | null, b: Instant.Instant): Instant.Instant => a !== null && a > b ? a : b

const last = (by: "guest" | "outfitter") => (conversation: Conversation, { at, messageId }: Written) =>
  conversation.lastBy !== null && conversation.lastAt > at
    ? {}
    : { lastMessageId: messageId, lastAt: at, lastBy: by }

const noticed = (conversation: Conversation, { at, messageId }: Written): Partial<Conversation> => {
  const notice = whenToNotifyStaff(conversation, at)
  if (notice._tag === "Pending") return {}
  return notice._tag === "Now" ? { noticedAt: at } : { unnoticedId: messageId }
}

const noSender = { fromName: "", fromEmail: "" }

/** Minimum time between acknowledgments in a conversation, in minutes. */
const betweenMinutes = 24 * 60

const decide: Decisions["decide"] = {
  GuestWrote: (conversation, command) =>
    change(conversation, {
      ...last("guest")(conversation, command),
      guestAt: later(conversation.guestAt, command.at),
      subject: command.topic,
      status: "open",
      snoozedUntil: null,
      ...noticed(conversation, command)
    }),
  OutfitterWrote: (conversation, command) => change(conversation, last("outfitter")(conversation, command)),
  Acknowledge: (conversation, { at }) =>
    conversation.ackedAt === null || at >= Instant.addMinutes(conversation.ackedAt, betweenMinutes)
      ? change(conversation, { ackedAt: at })
      : nothing,
  Notify: (conversation, { at }) =>
    change(conversation, { noticedAt: later(conversation.noticedAt, at), unnoticedId: null }),
  Mark: (conversation, { at, read, snoozedUntil, status }) =>
    change(conversation, {
      ...(status === undefined ? {} : { status }),
      ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
      ...(read === undefined ? {} : { outfitterReadAt: read ? later(conversation.outfitterReadAt, at) : null })
    }),
  GuestRead: (conversation, { at }) => change(conversation, { guestReadAt: later(conversation.guestReadAt, at) }),
  Reported: (conversation, { at, outcome }) =>
    change(conversation, { bouncedAt: outcome === "delivered" ? null : later(conversation.bouncedAt, at) }),
  Tie: (conversation, { customerId }) => change(conversation, { customerId, fromName: null, fromEmail: null }),
  TakeIn: (conversation, { other }) =>
    change(conversation, {
      ...(other.lastBy === null || other.lastMessageId === null
        ? {}
        : last(other.lastBy)(conversation, { at: other.lastAt, messageId: other.lastMessageId })),
      guestAt: other.guestAt === null ? conversation.guestAt : later(conversation.guestAt, other.guestAt),
      subject: other.guestAt !== null && other.guestAt > (conversation.guestAt ?? 0)
        ? other.subject
        : conversation.subject,
      status: other.status === "open" ? "open" : conversation.status
    }),
  Leave: (conversation, { to: movedTo }) =>
    change(conversation, {
      ...noSender,
      subject: "",
      lastMessageId: null,
      lastBy: null,
      guestAt: null,
      status: "done",
      movedTo
    }),
  MailLink: (conversation, { link }) => change(conversation, { link }),
  Show: (conversation, { shown }) => change(conversation, { link: null, shown }),
  Forget: (conversation, { token }) =>
    change(conversation, {
      token,
      subject: "",
      link: null,
      shown: null,
      ...(conversation.customerId === null ? noSender : {})
    })
}

export const conversationDecider: Decisions = {
  decide,
  evolve: (conversation, { to }) => ({ ...conversation, ...to })
}
