/**
 * A notification for one staff member: a guest's message, an undelivered email, a payment problem, or an ops agent
 * proposal or action.
 */
export interface Notice {
  /** The notification's ID, which is the same on every attempt. */
  readonly id: string
  readonly about: "message" | "undelivered" | "dispute" | "mismatch" | "refund" | "proposal"
  /** The ID of the message, note, payment, or proposal that `about` names. */
  readonly aboutId: string
  readonly org: { readonly id: string; readonly name: string }
  readonly to: { readonly id: string; readonly name: string; readonly email: string }
  /** The subject, which is a single line. */
  readonly subject: string
  /** The text. A notification about a guest's message contains the message's text. */
  readonly text: string
  /**
   * The address whose incoming mail is forwarded to the guest. Null if no reply is expected or incoming mail is off.
   */
  readonly replyTo: { readonly name: string; readonly email: string } | null
  /** The dashboard page to open. */
  readonly url: string
}

/**
 * Notifies staff members through a channel other than email, such as chat or push. The worker calls `tell` once for
 * each staff member who has notifications on. If `tell` rejects or takes longer than a minute, the worker retries after
 * 1, 2, 4 … minutes. An error with `permanent: true` stops the retries.
 */
export interface Notifier {
  readonly tell: (notice: Notice) => Promise<unknown>
}
