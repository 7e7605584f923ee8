/**
 * What became of a mail.
 *
 * @category models
 */
export interface DeliveryReport {
  /** Of the mail's own envelope sender, `bounce+<token>`: the message's, or its conversation's for a mail that is no message. */
  readonly bounceToken: string
  readonly outcome: "delivered" | "failed" | "complained"
  /** What the other server said, in a line; null when it is not known, or nothing failed. */
  readonly failure: string | null
}
