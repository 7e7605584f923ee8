/** The types of a parsed email. Parsing runs before any database query. */
import { toNetwork } from "@trailbook/core/actor"
import type { MailDropReason, ParsedMail } from "@trailbook/core/conversation"

export interface Envelope {
  /** The envelope sender, which is empty for automatic notices and null if unknown. */
  readonly from: string | null
  /** The envelope recipients. */
  readonly to: ReadonlyArray<string>
  /** The connected client, or undefined if a trusted relay forwarded the email. */
  readonly client?: { readonly ip: string; readonly helo: string }
}

/**
 * Identifies the sender by the client's network, for per-sender limits. If a relay or provider forwarded the email, the
 * network is unknown, so the recipient address identifies the sender. The envelope sender is not used, because senders
 * can choose any address, whereas each recipient address is secret.
 */
export const getSenderKey = ({ client, to }: Pick<Envelope, "client" | "to">): string =>
  client === undefined ? (to[0] ?? "").toLowerCase() : toNetwork(client.ip)

/**
 * The DMARC result for the From domain (RFC 7489). It is `fail` only if the domain's policy is to reject or quarantine
 * or the author is ambiguous.
 */
export type DmarcVerdict = "pass" | "fail" | "none"

export type ParseResult =
  | { readonly _tag: "Message"; readonly mail: ParsedMail }
  | { readonly _tag: "Dropped"; readonly reason: MailDropReason }
  | {
    readonly _tag: "Report"
    readonly outcome: "delivered" | "failed" | "complained"
    /** The other server's response, as a single line. */
    readonly failure: string | null
  }

export const makeDroppedResult = (reason: MailDropReason): ParseResult => ({ _tag: "Dropped", reason })
