import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/**
 * Something that one person of the staff is told, because they want to hear of what happens.
 *
 * @category models
 */
export interface Notice {
  /** The same notice has the same id when it is told again. */
  readonly id: string
  /**
   * A guest's message, an undelivered mail, a disputed payment, a payment that does not match its request, a refused
   * refund, or an action of the ops agent.
   */
  readonly about: "message" | "undelivered" | "dispute" | "mismatch" | "refund" | "proposal"
  /** Of the message, the note, the payment or the proposal. */
  readonly aboutId: string
  readonly org: { readonly id: string; readonly name: string }
  readonly to: { readonly id: string; readonly name: string; readonly email: string }
  /** One line. */
  readonly subject: string
  /** What a guest has written is in their own words. */
  readonly text: string
  /** Where an answer by mail goes, which the guest gets; null where none is expected, or mail does not come in. */
  readonly replyTo: { readonly name: string; readonly email: string } | null
  /** The guest's files that a mail carries. */
  readonly attachments: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly content: Uint8Array
  }>
  /** The names of files that are too large to attach. */
  readonly left: ReadonlyArray<string>
  /** The conversation on the dashboard; null for notices about anything else. */
  readonly url: string | null
}

/**
 * Somebody could not be told. `permanent`: nothing will be different when it is tried again, and it is given up. The
 * message is kept with the task for the outfitter to see, so it names no person and no address.
 *
 * @category errors
 */
export class NotifyFailed extends Data.TaggedError("NotifyFailed")<{
  readonly message: string
  readonly permanent: boolean
}> {}

/**
 * How the staff are told. Where a program says nothing of it, by mail. Never called inside a unit of work; a notice may be
 * told more than once, each time with its id.
 *
 * @category ports
 */
export class Notifier extends Context.Tag("@trailbook/core/Notifier")<
  Notifier,
  {
    readonly tell: (notice: Notice) => Effect.Effect<void, NotifyFailed>
  }
>() {}
