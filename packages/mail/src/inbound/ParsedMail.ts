/** Types of a parsed email, before any database query. */
import type { DropReason, ParsedMail } from "@trailbook/core/conversation/mail-intake/MailIntake"

export interface Envelope {
  /** The envelope sender. Automatic notices have an empty sender. Null if unknown. */
  readonly from: string | null
  /** The envelope recipients. */
  readonly to: ReadonlyArray<string>
  /** The connected client. Undefined behind a trusted relay. */
  readonly client?: { readonly ip: string; readonly helo: string }
}

/**
 * The DMARC result of the From domain (RFC 7489). `fail` only if the policy of the domain is to reject or quarantine.
 */
export type DmarcVerdict = "pass" | "fail" | "none"

export type ParseResult =
  | { readonly _tag: "Message"; readonly mail: ParsedMail }
  | { readonly _tag: "Dropped"; readonly reason: DropReason }
  | {
    readonly _tag: "Report"
    readonly outcome: "delivered" | "failed" | "complained"
    /** The other server's response in one line. */
    readonly failure: string | null
  }

export const droppedMail = (reason: DropReason): ParseResult => ({ _tag: "Dropped", reason })
