import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** A complete email to a guest or a staff member. */
export interface Mail {
  /** The ID of the task or message. It stays the same when the email is sent again. */
  readonly id: string
  readonly from: { readonly name: string }
  readonly to: { readonly name: string; readonly email: string }
  /** The reply address. Null if replies are not read, or if they go to the sender's address. */
  readonly replyTo: { readonly name: string; readonly email: string } | null
  readonly subject: string
  readonly text: string
  readonly html: string
  /** An iCalendar object (RFC 5545) with its iTIP method (RFC 5546). */
  readonly calendar: { readonly method: "PUBLISH" | "CANCEL"; readonly ics: string } | null
  /** The earlier emails in the thread. Null if the email starts a thread. */
  readonly thread: MailThread | null
  /**
   * How the email was created: by a person (`no`), automatically (`generated`), or as an automatic reply (`replied`).
   * See RFC 3834.
   */
  readonly automatic: "no" | "generated" | "replied"
  /** The attached files, at most 7 MiB in total. */
  readonly attachments: ReadonlyArray<MailAttachment>
  /**
   * The token for delivery reports, which are sent to `bounce+<token>`. Null if no report is needed. The token contains
   * only lowercase letters and digits, because mail servers may change the case.
   */
  readonly bounceToken: string | null
}

/** The Message-IDs of a thread in angle brackets, both for sent emails (`makeMessageId`) and for received emails. */
export interface MailThread {
  /** The email that this email replies to, or null. */
  readonly inReplyTo: string | null
  /** The earlier emails, oldest first, at most 10. */
  readonly references: ReadonlyArray<string>
}

export interface MailAttachment {
  readonly name: string
  /** The type, such as `image/jpeg`. */
  readonly type: string
  readonly content: Uint8Array
  /** Set if the HTML shows the file as `cid:<contentId>`, in which case it must be sent inline (RFC 2387). */
  readonly contentId?: string
}

/** The result for an accepted email. */
export interface MailSendResult {
  /** Whether a delivery report was requested. If not, acceptance is the only known result. */
  readonly reportRequested: boolean
}

/**
 * Why an email was not accepted:
 * - `address`: the receiving server rejects the address;
 * - `refused`: the receiving server rejects the email;
 * - `message`: the email is malformed;
 * - `login`: the mail server rejects Trailbook's login or Trailbook's server;
 * - `unreachable`, `timeout`: the server did not respond, or did not respond in time;
 * - `storage`: the folder is not writable;
 * - `program`: the host application's mailer failed.
 */
export const mailFailureReasons = [
  "address",
  "refused",
  "message",
  "login",
  "unreachable",
  "timeout",
  "storage",
  "program"
] as const

export type MailFailureReason = (typeof mailFailureReasons)[number]

/**
 * The error if an email is not accepted. If `permanent` is set, the email is not retried. `message` is stored with the
 * task and shown to the outfitter, so it must not contain a name or an address.
 */
export class MailFailed extends Data.TaggedError("MailFailed")<{
  readonly message: string
  readonly permanent: boolean
  readonly reason: MailFailureReason
}> {}

/** Sends emails. The mailer is never called inside a transaction. */
export class Mailer extends Context.Tag("@trailbook/core/Mailer")<
  Mailer,
  {
    readonly send: (mail: Mail) => Effect.Effect<MailSendResult, MailFailed>
  }
>() {}

/**
 * Draws a booking's QR code for its confirmation email. Without this service, the email has no code, but the guest page
 * always shows it.
 */
export class CheckInCode extends Context.Tag("@trailbook/core/CheckInCode")<
  CheckInCode,
  {
    /** Returns a PNG image of the code. The same URL always produces the same image. */
    readonly png: (url: string) => Uint8Array
  }
>() {}

/**
 * Returns a conversation's reply address, which contains a secret token. Returns undefined if inbound email is not set
 * up.
 */
export const makeReplyAddress = (token: string, replyDomain: string | undefined): string | undefined =>
  replyDomain === undefined ? undefined : `reply+${token}@${replyDomain}`

/**
 * Returns the address for a staff member's email replies to a guest. Returns undefined if inbound email is not set up.
 */
export const makeStaffReplyAddress = (token: string, replyDomain: string | undefined): string | undefined =>
  replyDomain === undefined ? undefined : `team+${token}@${replyDomain}`

/** Returns an email's Message-ID. It stays the same when the email is sent again. `domain` is the reply domain. */
export const makeMessageId = (mailId: string, domain: string): string => `<${mailId}@${domain}>`
