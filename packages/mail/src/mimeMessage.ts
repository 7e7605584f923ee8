import { type Mail, MailFailed, makeMessageId, toSingleLine } from "@trailbook/core/mail"
import type { TraceHeaders } from "@trailbook/core/port"
import type * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import MailComposer from "nodemailer/lib/mail-composer"

/**
 * Builds an email in wire format (RFC 5322). The text, HTML, and calendar parts are alternatives. The `booking.ics`
 * attachment repeats the calendar for programs that ignore the alternative. nodemailer writes all headers, and it
 * quotes, encodes, and folds their values, so a name cannot inject a header.
 *
 * The `Message-ID` is derived from the email's ID, so that mail programs recognize a retry as the same message.
 */
export const buildMimeMessage = (
  mail: Mail,
  { date, from, messageDomain = addressDomain(from), trace }: {
    /** The sender address. */
    readonly from: string
    readonly date: Instant.Instant
    /** The domain for Message-IDs. Default: the domain of `from`. */
    readonly messageDomain?: string | undefined
    /** The trace headers, which let operators find a trace's email in the mail server's log. */
    readonly trace?: TraceHeaders
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
        messageId: makeMessageId(toSafeId(mail.id), messageDomain),
        ...toThreadHeaders(mail),
        headers: { ...automaticHeaders[mail.automatic], ...trace },
        text: toCrlf(mail.text),
        html: toCrlf(mail.html),
        ...(mail.calendar === null ? {} : {
          icalEvent: { method: mail.calendar.method, filename: "booking.ics", content: toCrlf(mail.calendar.ics) }
        }),
        attachments: mail.attachments.map(({ content, contentId, name, type }) => ({
          ...(contentId === undefined ? {} : { cid: contentId }),
          filename: toSingleLine(name) || "file",
          // An invalid content type could be used to inject a header.
          contentType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream",
          content: Buffer.from(content.buffer, content.byteOffset, content.byteLength)
        })),
        // The library would encode Greek or Japanese text as base64, but people open outbox files in an editor.
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

const addressDomain = (address: string): string => address.slice(address.lastIndexOf("@") + 1)

/** Drops invalid Message-IDs, because guests choose the IDs of their emails and an invalid ID could inject a header. */
const toThreadHeaders = ({ thread }: Mail): { readonly inReplyTo?: string; readonly references?: Array<string> } => {
  if (thread === null) return {}
  const references = thread.references.filter(isMessageId).slice(-10)
  return {
    ...(thread.inReplyTo !== null && isMessageId(thread.inReplyTo) ? { inReplyTo: thread.inReplyTo } : {}),
    ...(references.length > 0 ? { references } : {})
  }
}

const isMessageId = (id: string): boolean => /^<[!-;=?-~]{1,900}>$/.test(id)

/**
 * Headers that prevent auto-replies to automatic email. Microsoft servers use their own header, whose value "All" would
 * also suppress delivery reports.
 */
const automaticHeaders: Record<Mail["automatic"], Record<string, string>> = {
  no: {},
  generated: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "OOF, AutoReply, RN, NRN" },
  replied: { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "OOF, AutoReply, RN, NRN" }
}

// The library's `newline` option would add a stream to every message, so line breaks are converted here.
const toCrlf = (words: string): string => words.replace(/\r?\n/g, "\r\n")

/**
 * Returns an ID that is safe to use in a file name and in a `Message-ID`. UUIDs are unchanged, and any other ID is
 * replaced by its digest, so an ID cannot escape a folder and is never a suffix of another.
 */
export const toSafeId = (id: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : createHash("sha256").update(id).digest("hex")
