/**
 * What may happen to a conversation.
 *
 * What the guest writes opens it again and ends its snooze. What the outfitter
 * writes answers it, and changes neither: they may write in what is done. Only
 * people's messages count for who wrote last, so a note or an acknowledgement
 * answers nothing and puts nothing into the list.
 *
 * Nobody is told twice in 24 hours that their message has arrived.
 *
 * The staff are notified of a message immediately, unless they were within the last
 * 5 minutes. Messages in between go into one notice after that.
 *
 * Moments never run backwards: two units of work may take theirs in another order
 * than they commit.
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
    /** The outfitter has read all of it, or wants it to be unread again. */
    readonly read?: boolean | undefined
    readonly snoozedUntil?: Instant.Instant | null | undefined
  }
  /** The guest has seen all of it on their page. */
  | { readonly _tag: "GuestRead"; readonly at: Instant.Instant }
  /** What became of a mail to the guest. */
  | { readonly _tag: "Reported"; readonly outcome: "delivered" | "failed"; readonly at: Instant.Instant }
  /** Whoever asked has become a customer. */
  | { readonly _tag: "Tie"; readonly customerId: string }
  /** What was said in another has come into this one. */
  | { readonly _tag: "TakeIn"; readonly other: Conversation }
  /** All that was said in it is in another now, where what still comes to it goes; or it is nobody's any more. It is in no list. */
  | { readonly _tag: "Leave"; readonly to: string | null }
  /** A link that shows the guest all of it is mailed; the one before it opens nothing any more. */
  | { readonly _tag: "MailLink"; readonly link: Pass }
  /** A link was spent, and what it gave shows all of it for a time. */
  | { readonly _tag: "Show"; readonly shown: Pass }
  /** Nothing is left of what was said in it, and its old address takes no more mail. */
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

const nobody = { fromName: "", fromEmail: "" }

/** At most once a day for a conversation. */
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
      ...nobody,
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
      ...(conversation.customerId === null ? nobody : {})
    })
}

/**
 * @category deciding
 */
export const conversationDecider: Decisions = {
  decide,
  evolve: (conversation, { to }) => ({ ...conversation, ...to })
}
