/** An email to a guest or a staff member, ready to send. */
export interface Mail {
  /**
   * The email's ID, which is the same on every attempt. The Message-ID is `<id@domain>` with the domain from `replies`.
   */
  readonly id: string
  readonly from: { readonly name: string }
  readonly to: { readonly name: string; readonly email: string }
  /** The reply address, or null if replies go to the sender's address. */
  readonly replyTo: { readonly name: string; readonly email: string } | null
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The iCalendar object to attach. */
  readonly calendar: { readonly method: "PUBLISH" | "CANCEL"; readonly ics: string } | null
  /** The headers `In-Reply-To` and `References`, which keep a thread's messages together in mail clients. */
  readonly thread: { readonly inReplyTo: string | null; readonly references: ReadonlyArray<string> } | null
  /**
   * Whether a program wrote the message. Set the `Auto-Submitted` header for every value except `no`, so that
   * autoresponders do not reply.
   */
  readonly automatic: "no" | "generated" | "replied"
  readonly attachments: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly content: Uint8Array
    /**
     * The ID of a file that the HTML shows as `cid:<contentId>`, such as the QR code in a confirmation. Send such a
     * file inline.
     */
    readonly contentId?: string
  }>
  /**
   * Identifies the email or its conversation in a bounce address such as `bounce+<token>`, which receives delivery
   * reports.
   */
  readonly bounceToken: string | null
}

/**
 * Sends email. If `send` rejects or takes longer than a minute, Trailbook retries after 1, 2, 4 … minutes. An error
 * with `permanent: true` stops the retries. Resolve to `{ reportRequested: true }` if a delivery report will give the
 * outcome. Any other value means that the email was delivered.
 */
export interface Mailer {
  readonly send: (mail: Mail) => Promise<unknown>
}
