/**
 * A conversation's transitions.
 *
 * A message from the guest reopens the conversation and ends its snooze. A message from the outfitter is a reply. It
 * changes neither the status nor the snooze, because an outfitter can write to a closed conversation. Only messages
 * from people change `lastBy`. A note or an acknowledgment is not a reply and does not make the conversation appear in
 * the inbox.
 *
 * A guest gets at most one acknowledgment in 24 hours.
 *
 * The staff are notified of a message immediately, unless they were notified within the last 5 minutes. In that case,
 * one later notice covers all new messages.
 *
 * Timestamps never decrease, even if two transactions read the clock in one order and commit in the other.
 */
import { hasChanges } from "../Decider.ts"
import * as Instant from "../time/Instant.ts"
import {
  type Conversation,
  type ConversationStatus,
  type ExpiringSecret,
  getStaffNotificationTime
} from "./Conversation.ts"

interface WrittenMessage {
  readonly messageId: string
  readonly at: Instant.Instant
}

export type ConversationCommand =
  | { readonly _tag: "GuestWrote"; readonly topic: string } & WrittenMessage
  | { readonly _tag: "OutfitterWrote" } & WrittenMessage
  | { readonly _tag: "Acknowledge"; readonly at: Instant.Instant }
  /** The pending notice about the guest's messages is sent to the staff. */
  | { readonly _tag: "Notify"; readonly at: Instant.Instant }
  | {
    readonly _tag: "Mark"
    readonly at: Instant.Instant
    readonly status?: ConversationStatus | undefined
    /** True if the outfitter read all messages. False marks the conversation as unread. */
    readonly read?: boolean | undefined
    readonly snoozedUntil?: Instant.Instant | null | undefined
  }
  /** The guest saw all messages on the guest page. */
  | { readonly _tag: "GuestRead"; readonly at: Instant.Instant }
  /** The delivery result for an email to the guest. */
  | { readonly _tag: "Reported"; readonly outcome: "delivered" | "failed"; readonly at: Instant.Instant }
  /** The sender of a question has become a customer. */
  | { readonly _tag: "Tie"; readonly customerId: string }
  /** Merges another conversation into this one. */
  | { readonly _tag: "TakeIn"; readonly other: Conversation }
  /**
   * The conversation was merged into `to`, which now receives new messages. If the guest was erased instead, `to` is
   * null. The conversation no longer appears in any list.
   */
  | { readonly _tag: "Leave"; readonly to: string | null }
  /** A link to the entire conversation is emailed. It replaces the previous link. */
  | { readonly _tag: "MailLink"; readonly link: ExpiringSecret }
  /** The guest opened the link. The new secret gives access to the entire conversation until it expires. */
  | { readonly _tag: "Show"; readonly shown: ExpiringSecret }
  /** Erases the conversation's text. The old address no longer accepts email. */
  | { readonly _tag: "Forget"; readonly token: string }

const maxInstant = (a: Instant.Instant | null, b: Instant.Instant): Instant.Instant => a !== null && a > b ? a : b

const patchLastMessage =
  (by: "guest" | "outfitter") => (conversation: Conversation, { at, messageId }: WrittenMessage) =>
    conversation.lastBy !== null && conversation.lastAt > at
      ? {}
      : { lastMessageId: messageId, lastAt: at, lastBy: by }

const scheduleNotice = (conversation: Conversation, { at, messageId }: WrittenMessage): Partial<Conversation> => {
  const schedule = getStaffNotificationTime(conversation, at)
  if (schedule._tag === "Pending") return {}
  return schedule._tag === "Now" ? { noticedAt: at } : { unnoticedId: messageId }
}

const emptySender = { fromName: "", fromEmail: "" }

/** The minimum time between acknowledgments in a conversation, in minutes. */
const acknowledgmentIntervalMinutes = 24 * 60

/** Returns the fields that a command changes. */
const makePatch = (conversation: Conversation, command: ConversationCommand): Partial<Conversation> => {
  const { ackedAt, bouncedAt, guestAt, guestReadAt, noticedAt, outfitterReadAt } = conversation
  switch (command._tag) {
    case "GuestWrote":
      return {
        ...patchLastMessage("guest")(conversation, command),
        guestAt: maxInstant(guestAt, command.at),
        subject: command.topic,
        status: "open",
        snoozedUntil: null,
        ...scheduleNotice(conversation, command)
      }
    case "OutfitterWrote":
      return patchLastMessage("outfitter")(conversation, command)
    case "Acknowledge": {
      const isDue = ackedAt === null || command.at >= Instant.addMinutes(ackedAt, acknowledgmentIntervalMinutes)
      return isDue ? { ackedAt: command.at } : {}
    }
    case "Notify":
      return { noticedAt: maxInstant(noticedAt, command.at), unnoticedId: null }
    case "Mark": {
      const { at, read, snoozedUntil, status } = command
      return {
        ...(status === undefined ? {} : { status }),
        ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
        ...(read === undefined ? {} : { outfitterReadAt: read ? maxInstant(outfitterReadAt, at) : null })
      }
    }
    case "GuestRead":
      return { guestReadAt: maxInstant(guestReadAt, command.at) }
    case "Reported":
      return { bouncedAt: command.outcome === "delivered" ? null : maxInstant(bouncedAt, command.at) }
    case "Tie":
      return { customerId: command.customerId, fromName: null, fromEmail: null }
    case "TakeIn": {
      const { other } = command
      return {
        ...(other.lastBy === null || other.lastMessageId === null
          ? {}
          : patchLastMessage(other.lastBy)(conversation, { at: other.lastAt, messageId: other.lastMessageId })),
        guestAt: other.guestAt === null ? guestAt : maxInstant(guestAt, other.guestAt),
        subject: other.guestAt !== null && other.guestAt > (guestAt ?? 0) ? other.subject : conversation.subject,
        status: other.status === "open" ? "open" : conversation.status
      }
    }
    case "Leave":
      return {
        ...emptySender,
        subject: "",
        lastMessageId: null,
        lastBy: null,
        guestAt: null,
        status: "done",
        movedTo: command.to
      }
    case "MailLink":
      return { link: command.link }
    case "Show":
      return { link: null, pass: command.shown }
    case "Forget":
      return {
        token: command.token,
        subject: "",
        link: null,
        pass: null,
        ...(conversation.customerId === null ? emptySender : {})
      }
  }
}

/** Applies a command. Returns the same conversation if nothing changes. */
export const updateConversation = (conversation: Conversation, command: ConversationCommand): Conversation => {
  const patch = makePatch(conversation, command)
  return hasChanges(conversation, patch) ? { ...conversation, ...patch } : conversation
}
