/**
 * Subjects of the mails to guests. A mail about a booking or a broadcast has its own subject and starts its own mail
 * thread. Only a reply uses "Re:" with the subject of the guest's message, so that mail programs show both together.
 */
import type { Conversation } from "./Conversation.ts"
import type { Message } from "./Message.ts"

/** Same limit as the `subject` field of the API, minus the prefix. */
const maxTopic = 196

/** Prefixes that mail programs add to the subject of a reply or a forwarded mail, in several languages. */
const prefixes = /^(?:(?:re|aw|sv|antw|rv|res|rif|fwd?|wg|tr)(?:\[\d+\])?\s*:\s*)+/i

/**
 * The subject without the prefixes of replies: equal for all mails of one mail thread.
 *
 * @category calculating
 */
export const stripReplyPrefixes = (subject: string): string =>
  Array.from(subject.trim().replace(prefixes, "")).slice(0, maxTopic).join("").trim()

/**
 * The subject of a reply to the guest's latest message.
 *
 * @category calculating
 */
export const replySubject = ({ subject }: Pick<Conversation, "subject">): string => `Re: ${subject}`

/**
 * Whether a mail to a guest continues a mail thread.
 *
 * @category predicates
 */
export const isReply = ({ subject }: Pick<Message, "subject">): boolean => subject.startsWith("Re: ")
