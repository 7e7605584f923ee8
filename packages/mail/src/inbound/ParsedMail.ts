/** A parsed mail, before any database lookup. */
import type { DropReason, ParsedMail } from "@trailbook/core/conversation/InboundMail"
import type { SentMail } from "./knownText.ts"

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

/** The data of a conversation that the parser needs. */
export interface ReplyContext extends SentMail {
  readonly guest: { readonly email: string }
  /**
   * For emails that are forwarded in the outfitter's name: the sender must be authenticated, and no placeholder
   * replaces unreadable text. Default false.
   */
  readonly strict?: boolean
}

export type ParseResult =
  | { readonly _tag: "Message"; readonly mail: Omit<ParsedMail, "token"> }
  | { readonly _tag: "Dropped"; readonly reason: DropReason }
  | {
    readonly _tag: "Report"
    readonly outcome: "delivered" | "failed" | "complained"
    /** The response of the other server in one line. */
    readonly failure: string | null
  }

export const droppedMail = (reason: DropReason): ParseResult => ({ _tag: "Dropped", reason })
