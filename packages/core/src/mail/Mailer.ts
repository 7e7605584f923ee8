import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/**
 * A message to a guest, ready to be sent.
 *
 * @category models
 */
export interface Mail {
  /** The task that it comes from: the same message is sent again under the same id. */
  readonly id: string
  readonly from: { readonly name: string }
  readonly to: { readonly name: string; readonly email: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** An iCalendar object (RFC 5545) with its iTIP method (RFC 5546). */
  readonly calendar: { readonly method: "PUBLISH" | "CANCEL"; readonly ics: string }
}

/**
 * The message was not taken; it is tried again. `message` is kept with the
 * task for the outfitter to see, so it names no person and no address.
 *
 * @category errors
 */
export class MailFailed extends Data.TaggedError("MailFailed")<{ readonly message: string }> {}

/**
 * How messages leave. Never called inside a unit of work.
 *
 * @category ports
 */
export class Mailer extends Context.Tag("@trailbook/core/Mailer")<
  Mailer,
  {
    readonly send: (mail: Mail) => Effect.Effect<void, MailFailed>
  }
>() {}
