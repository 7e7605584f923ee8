import { type Mail, MailFailed } from "@trailbook/core/mail/Mailer"
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
 *
 * @category converting
 */
export const message = (
  mail: Mail,
  { date, from }: {
    /** The address that it is sent from. */
    readonly from: string
    readonly date: Instant.Instant
  }
): Effect.Effect<Uint8Array, MailFailed> =>
  Effect.tryPromise({
    try: () =>
      new MailComposer({
        from: { name: mail.from.name, address: from },
        to: { name: mail.to.name, address: mail.to.email },
        subject: mail.subject,
        date: new Date(date),
        messageId: `<${fileId(mail.id)}@${from.slice(from.lastIndexOf("@") + 1)}>`,
        // Holiday notices are not to answer it (RFC 3834).
        headers: { "Auto-Submitted": "auto-generated" },
        text: lines(mail.text),
        html: lines(mail.html),
        icalEvent: { method: mail.calendar.method, filename: "booking.ics", content: mail.calendar.ics },
        // Not base64 for names in Greek or Japanese: people open these files in an editor.
        encoding: "quoted-printable",
        disableFileAccess: true,
        disableUrlAccess: true
      }).compile().build(),
    catch: (cause) => new MailFailed({ message: `The message cannot be put together (${String(cause)}).` })
  })

// Line breaks are made right here. Told to do it (`newline`), the library sends every message through one more stream.
const lines = (words: string): string => words.replace(/\r?\n/g, "\r\n")
