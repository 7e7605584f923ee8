/**
 * Subjects for emails to guests. An email about a booking or a broadcast has its own subject and starts a mail thread.
 * Only a reply uses "Re:" with the subject of the guest's message, so that mail programs group the two emails.
 */
import type { Conversation } from "../Conversation.ts"
import type { Message } from "./Message.ts"

/** The maximum length of the API's `subject` field, minus the prefix. */
const maxTopic = 196

/** Prefixes that mail programs add to the subject of a reply or a forwarded email, in several languages. */
const prefixes = /^(?:(?:re|aw|sv|antw|rv|res|rif|fwd?|wg|tr)(?:\[\d+\])?\s*:\s*)+/i

/** Returns the subject without reply prefixes. The result is the same for all emails in a mail thread. */
export const stripReplyPrefixes = (subject: string): string =>
  Array.from(subject.trim().replace(prefixes, "")).slice(0, maxTopic).join("").trim()

/** Returns the subject for a reply to the guest's latest message. */
export const formatReplySubject = ({ subject }: Pick<Conversation, "subject">): string => `Re: ${subject}`

/** Returns whether an email to a guest continues a mail thread. */
export const isReply = ({ subject }: Pick<Message, "subject">): boolean => subject.startsWith("Re: ")
