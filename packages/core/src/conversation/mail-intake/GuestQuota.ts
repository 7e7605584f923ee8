import * as Context from "effect/Context"

/** The sender of a form or an email. */
export interface GuestSender {
  readonly orgId: string
  /** The booking of the page, or the conversation of the email. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** Limits what guests store in 24 hours, for each booking page, each conversation by email, and each org. */
export class GuestQuota extends Context.Tag("@trailbook/core/GuestQuota")<
  GuestQuota,
  {
    /** Takes one message. Returns the seconds until the next one if none is left. */
    readonly takeMessage: (sender: GuestSender) => number | undefined
    /** Returns the seconds until files are accepted again if no bytes are left. */
    readonly waitForFiles: (sender: GuestSender) => number | undefined
    /** Counts a stored file. The last one can exceed the quota, and delays the next by that much. */
    readonly chargeFile: (sender: GuestSender, bytes: number) => void
  }
>() {}
