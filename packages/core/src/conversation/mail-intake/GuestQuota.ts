import * as Context from "effect/Context"

/** The sender of a form or an email. */
export interface GuestSender {
  readonly orgId: string
  /** The ID of the page's booking, or of the email's conversation. */
  readonly id: string
  /** The current time in epoch milliseconds. */
  readonly now: number
}

/** Limits how much guests can store in 24 hours, per booking page, per email conversation, and per org. */
export class GuestQuota extends Context.Tag("@trailbook/core/GuestQuota")<
  GuestQuota,
  {
    /** Counts a message. If the quota is exhausted, returns the seconds until the next message is accepted. */
    readonly takeMessage: (sender: GuestSender) => number | undefined
    /** If the byte quota is exhausted, returns the seconds until files are accepted again. */
    readonly waitForFiles: (sender: GuestSender) => number | undefined
    /** Counts a stored file. The last file can exceed the quota, and the excess delays the next file. */
    readonly chargeFile: (sender: GuestSender, bytes: number) => void
  }
>() {}
