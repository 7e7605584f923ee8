/**
 * A mail that came in, read: what `read` makes of its bytes, before anything is
 * looked up or stored.
 */
import type { DropReason, ParsedMail } from "@trailbook/core/conversation/InboundMail"
import type { SentMail } from "./knownText.ts"

/** What came with the bytes of a mail. */
export interface Envelope {
  /** Who handed it over says it is from there; empty for notices of machines, null where it is not known. */
  readonly from: string | null
  /** The addresses that it is for. */
  readonly to: ReadonlyArray<string>
  /** The address that the mail came from over the network, where it did not come by a relay of ours. */
  readonly client?: { readonly ip: string; readonly helo: string }
}

/**
 * What somebody has found out about the domain of the From address (RFC 7489).
 * `fail` counts when that domain wants such mail to be refused or set apart.
 */
export type DmarcVerdict = "pass" | "fail" | "none"

/** The conversation that a mail is for, as the reading needs it. */
export interface ReplyContext extends SentMail {
  readonly guest: { readonly email: string }
  /**
   * What is read goes on to somebody in our name: it has to be proven whose it is, and
   * nothing stands in for words that cannot be read. False when it is left out.
   */
  readonly strict?: boolean
}

export type ParseResult =
  | { readonly _tag: "Message"; readonly mail: Omit<ParsedMail, "token"> }
  | { readonly _tag: "Dropped"; readonly reason: DropReason }
  | {
    readonly _tag: "Report"
    readonly outcome: "delivered" | "failed" | "complained"
    /** What the other server said, in a line. */
    readonly failure: string | null
  }

export const droppedMail = (reason: DropReason): ParseResult => ({ _tag: "Dropped", reason })
