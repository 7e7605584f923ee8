/** A parsed mail, before any database lookup. */
import type { DropReason, ParsedMail } from "@trailbook/core/conversation/mail-intake/MailIntake"

/** The envelope of a mail. */
export interface Envelope {
  /** The envelope sender. Empty for automatic notices, null if unknown. */
  readonly from: string | null
  /** The envelope recipients. */
  readonly to: ReadonlyArray<string>
  /** The client that connected, unless the mail came through a trusted relay. */
  readonly client?: { readonly ip: string; readonly helo: string }
}

/**
 * The DMARC result for the From domain (RFC 7489). `fail` requires that the domain's policy is to reject or quarantine.
 */
export type DmarcVerdict = "pass" | "fail" | "none"

export type ParseResult =
  | { readonly _tag: "Message"; readonly mail: ParsedMail }
  | { readonly _tag: "Dropped"; readonly reason: DropReason }
  | {
    readonly _tag: "Report"
    readonly outcome: "delivered" | "failed" | "complained"
    /** The response of the other server in one line. */
    readonly failure: string | null
  }

export const droppedMail = (reason: DropReason): ParseResult => ({ _tag: "Dropped", reason })
