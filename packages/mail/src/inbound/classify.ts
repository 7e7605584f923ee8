/**
 * Decides from the headers whether Trailbook accepts an email. Accepts only email from the guest, and no automatic
 * email: two machines that answer each other's auto-replies would never stop.
 */
import type { DropReason } from "@trailbook/core/conversation/mail-intake/MailIntake"
import { type Header, headerValues } from "./headers.ts"
import type { Envelope } from "./ParsedMail.ts"
import { isSameAddress, parseFromHeader } from "./parseFromHeader.ts"

export type Class =
  | { readonly _tag: "Dropped"; readonly reason: DropReason }
  | {
    readonly _tag: "Heard"
    readonly from: { readonly name: string; readonly email: string }
    /**
     * Nonstandard headers mark the email as automatic. Help desks also add such headers to email from people. The email
     * is stored, but does not count as a message of the guest.
     */
    readonly automatic: boolean
  }

export const classify = (
  headers: ReadonlyArray<Header>,
  envelope: Pick<Envelope, "from">,
  { senderEmail, replyDomain }: { readonly senderEmail: string; readonly replyDomain: string }
): Class => {
  const reason = ofMachine(headers, envelope.from, replyDomain)
  if (reason !== undefined) return { _tag: "Dropped", reason }
  const [from, second] = headerValues(headers, "from")
  const mailbox = from === undefined || second !== undefined ? undefined : parseFromHeader(from)
  return mailbox === undefined || !isSameAddress(mailbox.email, senderEmail)
    ? { _tag: "Dropped", reason: "stranger" }
    : { _tag: "Heard", from: mailbox, automatic: seemsAutomatic(headers) }
}

const ofMachine = (
  headers: ReadonlyArray<Header>,
  envelopeFrom: string | null,
  replyDomain: string
): DropReason | undefined => {
  const returned = headerValues(headers, "return-path").some((value) => value.replace(/\s/g, "") === "<>")
  if (envelopeFrom === null ? returned : envelopeFrom === "") return "automatic"
  if (
    headerValues(headers, "message-id").some((id) => id.toLowerCase().replace(/>.*/, "").endsWith(`@${replyDomain}`))
  ) {
    return "own"
  }
  if (headerValues(headers, "auto-submitted").some((value) => tokenOf(value) !== "no")) return "automatic"
  if (headerValues(headers, "list-id").length > 0) return "list"
  if (headerValues(headers, "precedence").some((value) => /^(?:bulk|list|junk)$/.test(tokenOf(value)))) return "list"
  // Read and deletion receipts (RFC 8098) have no such headers.
  return headerValues(headers, "content-type").some((value) => /^multipart\/report\b/i.test(value))
    ? "automatic"
    : undefined
}

const seemsAutomatic = (headers: ReadonlyArray<Header>): boolean =>
  headers.some(({ key, value }) =>
    /^x-(?:mail-)?auto(?:reply|respond|generated|-reply|-respond|-generated)/.test(key) ||
    // The value "None" suppresses nothing.
    key === "x-auto-response-suppress" && tokenOf(value) !== "none" ||
    key === "precedence" && /^auto[-_]?reply$/.test(tokenOf(value))
  )

/** Returns the first word. Drops parameters and comments. */
const tokenOf = (value: string): string => /^\s*([^\s;(]*)/.exec(value)?.[1]?.toLowerCase() ?? ""
