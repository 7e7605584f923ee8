import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** A notification to one staff member who opted in. */
export interface StaffNotification {
  /** The notification's ID, which stays the same if the notification is resent. */
  readonly id: string
  /**
   * The kind of subject: a guest's message, an undelivered email, a disputed payment, a payment that does not match its
   * request, a refused refund, or an action by the ops agent.
   */
  readonly about: "message" | "undelivered" | "dispute" | "mismatch" | "refund" | "proposal"
  /** The ID of the message, note, payment, or proposal. */
  readonly aboutId: string
  readonly org: { readonly id: string; readonly name: string }
  readonly to: { readonly id: string; readonly name: string; readonly email: string }
  /** The subject, as a single line. */
  readonly subject: string
  /** The text, with the guest's message quoted verbatim. */
  readonly text: string
  /** The address for email replies to the guest. Null if no reply is expected or inbound mail is not set up. */
  readonly replyTo: { readonly name: string; readonly email: string } | null
  /** The guest's files to attach to the email. */
  readonly attachments: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly content: Uint8Array
  }>
  /** The names of files too large to attach. */
  readonly omittedFiles: ReadonlyArray<string>
  /** The dashboard page to open. */
  readonly url: string
  /** The label for the link, such as `Open the conversation`. */
  readonly urlLabel: string
}

/**
 * A notification could not be delivered. If `permanent` is set, the notification is not retried. The message is stored
 * with the task and shown to the outfitter, so it must not contain names or addresses.
 */
export class NotificationFailed extends Data.TaggedError("NotificationFailed")<{
  readonly message: string
  readonly permanent: boolean
}> {}

/**
 * Sends notifications to staff. By default, they are sent by email. The notifier is never called inside a transaction.
 * A notification can be sent more than once, each time with the same ID.
 */
export class Notifier extends Context.Tag("@trailbook/core/Notifier")<
  Notifier,
  {
    readonly tell: (notice: StaffNotification) => Effect.Effect<void, NotificationFailed>
  }
>() {}
