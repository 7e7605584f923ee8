/**
 * Writes drafts of replies to guests. `instructions` is Trailbook's prompt. `material` is JSON about the conversation.
 * It contains untrusted text from guests, so pass it to the model as data, and give the model no tools. A staff member
 * reviews each draft. Trailbook never sends a draft automatically. If the call throws or takes longer than 30 seconds,
 * no draft is created.
 */
export interface Drafter {
  readonly draft: (prompt: { readonly instructions: string; readonly material: string }) => Promise<string>
}

/** A language model with an OpenAI-compatible API. */
export interface LanguageModel {
  /** The base URL, such as `https://api.openai.com/v1`. Trailbook appends `/chat/completions`. */
  readonly url: string
  /** The model name that the service expects. */
  readonly model: string
  /** The API key, if the service requires one. */
  readonly key?: string | undefined
}

/**
 * Storage for file contents. Keys consist of lowercase letters, digits, `-`, and `/`, and contain no personal data. If
 * a call throws, Trailbook retries it later or refuses the upload as `unavailable`.
 */
export interface Files {
  /** Stores the bytes atomically. Replaces an existing file with the same key. */
  readonly put: (key: string, bytes: Uint8Array) => Promise<unknown>
  /**
   * Returns the content, or `null` or `undefined` if the key does not exist. Trailbook reads the stream to its end or
   * cancels it.
   */
  readonly get: (key: string) => Promise<ReadableStream<Uint8Array> | null | undefined>
  /** Deletes a file. The call must succeed even if the key does not exist. */
  readonly remove: (key: string) => Promise<unknown>
}

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
  /** The `In-Reply-To` and `References` headers, which keep a thread's messages together in mail clients. */
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

/**
 * A notification for one staff member: a guest's message, an undelivered email, a payment problem, or an ops agent
 * proposal or action.
 */
export interface StaffNotification {
  /** The notification's ID, which is the same on every attempt. */
  readonly id: string
  readonly about: "message" | "undelivered" | "dispute" | "mismatch" | "refund" | "proposal"
  /** The ID of the message, note, payment, or proposal that the notification is about. */
  readonly aboutId: string
  readonly org: { readonly id: string; readonly name: string }
  readonly to: { readonly id: string; readonly name: string; readonly email: string }
  /** The subject, which is a single line. */
  readonly subject: string
  /** The text. A notification about a guest's message contains the message's text. */
  readonly text: string
  /** The address that forwards incoming mail to the guest. Null if no reply is expected or incoming mail is off. */
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
  readonly tell: (notice: StaffNotification) => Promise<unknown>
}
