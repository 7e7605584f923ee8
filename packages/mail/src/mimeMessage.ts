import { type Mail, MailFailed } from "@trailbook/core/mail/Mailer"
import { makeMessageId } from "@trailbook/core/mail/messageId"
import { toSingleLine } from "@trailbook/core/mail/sanitizeHeader"
import type * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import MailComposer from "nodemailer/lib/mail-composer"
import { fileId } from "./fileId.ts"

/**
 * A mail as it travels (RFC 5322): text, HTML and calendar to choose from, and
 * the calendar once more as the attachment `booking.ics`, for programs that do
 * not look inside. Headers are made by nodemailer only, which quotes, encodes and
 * folds them; nothing in a name can begin another header.
 *
 * The `Message-ID` is made of the mail's id: a mail that is sent again is the same
 * message to those who go by it.
 */
export const message = (
  mail: Mail,
  { date, from, messageDomain = addressDomain(from) }: {
    /** The address that it is sent from. */
    readonly from: string
    readonly date: Instant.Instant
    /** What Message-IDs end in; that of `from` when nothing is said. */
    readonly messageDomain?: string | undefined
  }
): Effect.Effect<Uint8Array, MailFailed> =>
  Effect.tryPromise({
    try: () =>
      new MailComposer({
        from: { name: mail.from.name, address: from },
        to: { name: mail.to.name, address: mail.to.email },
        ...(mail.replyTo === null ? {} : { replyTo: { name: mail.replyTo.name, address: mail.replyTo.email } }),
        subject: mail.subject,
        date: new Date(date),
        messageId: makeMessageId(fileId(mail.id), messageDomain),
        ...threadOf(mail),
        headers: automaticHeaders[mail.automatic],
        text: lines(mail.text),
        html: lines(mail.html),
        ...(mail.calendar === null ? {} : {
          icalEvent: { method: mail.calendar.method, filename: "booking.ics", content: lines(mail.calendar.ics) }
        }),
        attachments: mail.attachments.map(({ content, name, type }) => ({
          filename: toSingleLine(name) || "file",
          // What is no type would be a header of its own.
          contentType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream",
          content: Buffer.from(content.buffer, content.byteOffset, content.byteLength)
        })),
        // Not base64 for names in Greek or Japanese: people open these files in an editor.
        encoding: "quoted-printable",
        disableFileAccess: true,
        disableUrlAccess: true
      }).compile().build(),
    catch: (cause) =>
      new MailFailed({
        message: `The message cannot be encoded (${cause instanceof Error ? cause.name : "unknown"}).`,
        permanent: true,
        reason: "message"
      })
  })

export const addressDomain = (address: string): string => address.slice(address.lastIndexOf("@") + 1)

/** Ids of guests' mails are theirs to choose: one that is none would begin another header, and is left out. */
const threadOf = ({ thread }: Mail): { readonly inReplyTo?: string; readonly references?: Array<string> } => {
  if (thread === null) return {}
  const references = thread.references.filter(isMessageId).slice(-10)
  return {
    ...(thread.inReplyTo !== null && isMessageId(thread.inReplyTo) ? { inReplyTo: thread.inReplyTo } : {}),
    ...(references.length > 0 ? { references } : {})
  }
}

const isMessageId = (id: string): boolean => /^<[!-;=?-~]{1,900}>$/.test(id)

/**
 * Holiday notices are not to answer what no person wrote. Microsoft's servers go by a header of their own, in which
 * "All" would keep delivery reports away, too.
 */
const automaticHeaders: Record<Mail["automatic"], Record<string, string>> = {
  no: {},
  generated: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "OOF, AutoReply, RN, NRN" },
  replied: { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "OOF, AutoReply, RN, NRN" }
}

// Line breaks are made right here. Told to do it (`newline`), the library sends every message through one more stream.
const lines = (words: string): string => words.replace(/\r?\n/g, "\r\n")
