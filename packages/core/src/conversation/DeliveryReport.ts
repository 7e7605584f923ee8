/** The delivery result of an email. */
export interface DeliveryReport {
  /** The token in the envelope sender, `bounce+<token>`: of the message or, for other emails, of the conversation. */
  readonly bounceToken: string
  readonly outcome: "delivered" | "failed" | "complained"
  /** The response of the other server in one line. Null if it is unknown or nothing failed. */
  readonly failure: string | null
}
