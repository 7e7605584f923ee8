import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/**
 * A message to a guest or to the outfitter's people, ready to be sent.
 *
 * @category models
 */
export interface Mail {
  /** The task or the message that it comes from: the same mail is sent again under the same id. */
  readonly id: string
  readonly from: { readonly name: string }
  readonly to: { readonly name: string; readonly email: string }
  /** Where answers go; null where nobody reads them, or where they go to the sender's address. */
  readonly replyTo: { readonly name: string; readonly email: string } | null
  readonly subject: string
  readonly text: string
  readonly html: string
  /** An iCalendar object (RFC 5545) with its iTIP method (RFC 5546). */
  readonly calendar: { readonly method: "PUBLISH" | "CANCEL"; readonly ics: string } | null
  /** The earlier mails of its thread; null for a mail that starts a thread. */
  readonly thread: MailThread | null
  /** Whether a person wrote it, or it was made by itself, or in answer to something (RFC 3834). */
  readonly automatic: "no" | "generated" | "replied"
  /** Files that travel with it, 7 MB together at most. */
  readonly attachments: ReadonlyArray<MailAttachment>
  /**
   * Names the mail, or its conversation, in the address that reports about it go to, `bounce+<token>`; null for one that
   * nobody asks about.
   * Lower case letters and digits: mail servers may change the case.
   */
  readonly bounceToken: string | null
}

/**
 * Message-IDs in angle brackets, of mails of ours (`makeMessageId`) and of others.
 *
 * @category models
 */
export interface MailThread {
  /** What it answers; null where it answers nothing that came by mail. */
  readonly inReplyTo: string | null
  /** The mails before it, oldest first, at most 10. */
  readonly references: ReadonlyArray<string>
}

/**
 * @category models
 */
export interface MailAttachment {
  readonly name: string
  /** Such as `image/jpeg`. */
  readonly type: string
  readonly content: Uint8Array
}

/**
 * What is known of a mail that was taken.
 *
 * @category models
 */
export interface MailSent {
  /** Whether a delivery report was asked for. Without one, that it was taken is all that will ever be known. */
  readonly reportRequested: boolean
}

/**
 * Why a mail was not taken:
 * - `address`: the other side does not take mail for this address;
 * - `refused`: it does not take this mail;
 * - `message`: no message can be made of it;
 * - `login`: our own login, or we ourselves, are refused;
 * - `unreachable`, `timeout`: nobody answered, or not in time;
 * - `storage`: the folder cannot be written;
 * - `program`: an embedding program's own mailer failed.
 *
 * @category models
 */
export type MailFailure =
  | "address"
  | "refused"
  | "message"
  | "login"
  | "unreachable"
  | "timeout"
  | "storage"
  | "program"

/**
 * The message was not taken. `permanent`: nothing will be different when it is tried
 * again, and it is given up. `message` is kept with the task for the outfitter to
 * see, so it names no person and no address.
 *
 * @category errors
 */
export class MailFailed extends Data.TaggedError("MailFailed")<{
  readonly message: string
  readonly permanent: boolean
  readonly reason: MailFailure
}> {}

/**
 * How messages leave. Never called inside a unit of work.
 *
 * @category ports
 */
export class Mailer extends Context.Tag("@trailbook/core/Mailer")<
  Mailer,
  {
    readonly send: (mail: Mail) => Effect.Effect<MailSent, MailFailed>
  }
>() {}
