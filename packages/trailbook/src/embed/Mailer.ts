/** A message to a guest or to the outfitter's people, ready to be sent. */
export interface Mail {
  /** The same message has the same id when it is sent again. Its Message-ID is `<id@domain>` with the domain of `replies`. */
  readonly id: string
  readonly from: { readonly name: string }
  readonly to: { readonly name: string; readonly email: string }
  /** Where answers go; null where they go to the sender's address. */
  readonly replyTo: { readonly name: string; readonly email: string } | null
  readonly subject: string
  readonly text: string
  readonly html: string
  /** An iCalendar object to attach. */
  readonly calendar: { readonly method: "PUBLISH" | "CANCEL"; readonly ics: string } | null
  /** The headers `In-Reply-To` and `References`, by which mail programs keep a thread together. */
  readonly thread: { readonly inReplyTo: string | null; readonly references: ReadonlyArray<string> } | null
  /** Who wrote it; all but `no` want the header `Auto-Submitted`, so that holiday notices do not answer. */
  readonly automatic: "no" | "generated" | "replied"
  readonly attachments: ReadonlyArray<
    { readonly name: string; readonly type: string; readonly content: Uint8Array }
  >
  /** Names this mail, or its conversation, in an address that delivery reports come back to, such as `bounce+<token>`. */
  readonly bounceToken: string | null
}

/**
 * How mails leave. A mail that is rejected, or that takes longer than a minute, is
 * sent again after 1, 2, 4 … minutes, unless the error has `permanent: true`: then
 * it is given up. An answer of `{ reportRequested: true }` says that a delivery
 * report will tell what became of it; without one the mail counts as delivered.
 */
export interface Mailer {
  readonly send: (mail: Mail) => Promise<unknown>
}
