/**
 * A message to a guest, ready to be sent.
 *
 * @category models
 */
export interface Mail {
  /** The same message has the same id when it is sent again: a good Message-ID. */
  readonly id: string
  readonly from: { readonly name: string }
  readonly to: { readonly name: string; readonly email: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** An iCalendar object to attach. */
  readonly calendar: { readonly method: "PUBLISH" | "CANCEL"; readonly ics: string }
}

/**
 * How mails leave. A mail that is rejected, or that takes longer than a minute, is
 * sent again after 1, 2, 4 … minutes.
 *
 * @category models
 */
export interface Mailer {
  readonly send: (mail: Mail) => Promise<unknown>
}
