/**
 * Decides from an email's headers whether Trailbook accepts it. Only email from the guest is accepted. Automatic email
 * is dropped, because two systems that reply to each other's auto-replies would never stop.
 */
import type { DropReason } from "@trailbook/core/conversation"
import { type Header, headerValues } from "./parse/headers.ts"
import type { Envelope } from "./parse/ParsedMail.ts"
import { isSameAddress, parseFromHeader } from "./parse/parseFromHeader.ts"

export type Class =
  | { readonly _tag: "Dropped"; readonly reason: DropReason }
  | {
    readonly _tag: "Heard"
    readonly from: { readonly name: string; readonly email: string }
    /**
     * Whether nonstandard headers mark the email as automatic. Help desks also add such headers to email written by
     * people, so the email is stored but does not count as a message from the guest.
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
  const hasEmptyPath = headerValues(headers, "return-path").some((value) => value.replace(/\s/g, "") === "<>")
  if (envelopeFrom === null ? hasEmptyPath : envelopeFrom === "") return "automatic"
  if (
    headerValues(headers, "message-id").some((id) => id.toLowerCase().replace(/>.*/, "").endsWith(`@${replyDomain}`))
  ) {
    return "own"
  }
  if (headerValues(headers, "auto-submitted").some((value) => tokenOf(value) !== "no")) return "automatic"
  if (headerValues(headers, "list-id").length > 0) return "list"
  if (headerValues(headers, "precedence").some((value) => /^(?:bulk|list|junk)$/.test(tokenOf(value)))) return "list"
  // Read and deletion receipts (RFC 8098) do not have the headers above.
  return headerValues(headers, "content-type").some((value) => /^multipart\/report\b/i.test(value))
    ? "automatic"
    : undefined
}

const seemsAutomatic = (headers: ReadonlyArray<Header>): boolean =>
  headers.some(({ key, value }) =>
    /^x-(?:mail-)?auto(?:reply|respond|generated|-reply|-respond|-generated)/.test(key) ||
    // The value "None" does not suppress anything.
    key === "x-auto-response-suppress" && tokenOf(value) !== "none" ||
    key === "precedence" && /^auto[-_]?reply$/.test(tokenOf(value))
  )

/** Returns the first word of a value, without parameters or comments. */
const tokenOf = (value: string): string => /^\s*([^\s;(]*)/.exec(value)?.[1]?.toLowerCase() ?? ""
