/**
 * Something that one person of the staff is told: a guest has written, a mail did not reach one, a guest's bank wants a
 * payment back, or the ops agent has acted by itself.
 */
export interface Notice {
  /** The same notice has the same id when it is told again. */
  readonly id: string
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
}

/**
 * How the outfitter's people are told of what happens, where that is not by mail: into a chat, or onto a phone. Called by the
 * worker, once for each person who wants to hear of it. A notice that is rejected, or that takes longer than a minute, is
 * told again after 1, 2, 4 … minutes, unless the error has `permanent: true`.
 */
export interface Notifier {
  readonly tell: (notice: Notice) => Promise<unknown>
}
