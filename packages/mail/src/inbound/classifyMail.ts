/**
 * Decides from an email's headers whether Trailbook accepts it. Only email from the expected sender, a guest or a staff
 * member, is accepted. Automatic email is dropped, because two systems that reply to each other's auto-replies would
 * never stop.
 */
import type { MailDropReason } from "@trailbook/core/conversation"
import { domainToASCII } from "node:url"
import { getHeaderValues, type Header } from "./parse/headers.ts"
import type { Envelope } from "./parse/ParsedMail.ts"

type Classification =
  | { readonly _tag: "Dropped"; readonly reason: MailDropReason }
  | {
    readonly _tag: "Heard"
    readonly from: { readonly name: string; readonly email: string }
    /**
     * Whether nonstandard headers mark the email as automatic. Help desks also add such headers to email written by
     * people, so the email is stored but does not count as a message from the guest.
     */
    readonly automatic: boolean
  }

export const classifyMail = (
  headers: ReadonlyArray<Header>,
  envelope: Pick<Envelope, "from">,
  { senderEmail, replyDomain }: { readonly senderEmail: string; readonly replyDomain: string }
): Classification => {
  const reason = ofMachine(headers, envelope.from, replyDomain)
  if (reason !== undefined) return { _tag: "Dropped", reason }
  const [from, second] = getHeaderValues(headers, "from")
  const mailbox = from === undefined || second !== undefined ? undefined : parseFromHeader(from)
  return mailbox === undefined || !isSameAddress(mailbox.email, senderEmail)
    ? { _tag: "Dropped", reason: "stranger" }
    : { _tag: "Heard", from: mailbox, automatic: seemsAutomatic(headers) }
}

const ofMachine = (
  headers: ReadonlyArray<Header>,
  envelopeFrom: string | null,
  replyDomain: string
): MailDropReason | undefined => {
  const hasEmptyPath = getHeaderValues(headers, "return-path").some((value) => value.replace(/\s/g, "") === "<>")
  if (envelopeFrom === null ? hasEmptyPath : envelopeFrom === "") return "automatic"
  if (
    getHeaderValues(headers, "message-id").some((id) => id.toLowerCase().replace(/>.*/, "").endsWith(`@${replyDomain}`))
  ) {
    return "own"
  }
  if (getHeaderValues(headers, "auto-submitted").some((value) => tokenOf(value) !== "no")) return "automatic"
  if (getHeaderValues(headers, "list-id").length > 0) return "list"
  if (getHeaderValues(headers, "precedence").some((value) => /^(?:bulk|list|junk)$/.test(tokenOf(value)))) return "list"
  // Read and deletion receipts (RFC 8098) do not have the headers above.
  return getHeaderValues(headers, "content-type").some((value) => /^multipart\/report\b/i.test(value))
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

/**
 * Parses a From header that contains exactly one mailbox. Returns `undefined` for any header that two programs could
 * interpret differently, so that Trailbook never guesses the author. The address is converted to lowercase, and the
 * name keeps its encoding.
 */
export const parseFromHeader = (value: string): { readonly name: string; readonly email: string } | undefined => {
  const { address, hasQuotes, phrase } = split(value)
  if (phrase === undefined) return undefined
  const email = address ?? (hasQuotes ? "" : phrase.trim())
  return isAddress(email) ? { name: address === undefined ? "" : phrase.trim(), email: email.toLowerCase() } : undefined
}

/** Compares two addresses, treating a Punycode domain and its Unicode form as equal. */
const isSameAddress = (a: string, b: string): boolean => ascii(a) === ascii(b)

const ascii = (address: string): string => {
  const at = address.lastIndexOf("@")
  const domain = address.slice(at + 1)
  return `${address.slice(0, at).normalize("NFC").toLowerCase()}@${domainToASCII(domain) || domain.toLowerCase()}`
}

const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u.test(text)

interface Parts {
  /**
   * The text outside the angle brackets, without comments or quotation marks, or `undefined` if the mailbox is invalid.
   */
  readonly phrase: string | undefined
  readonly address: string | undefined
  readonly hasQuotes: boolean
}

const split = (value: string): Parts => {
  const none: Parts = { phrase: undefined, address: undefined, hasQuotes: false }
  let phrase = ""
  let address: string | undefined
  let hasQuotes = false
  let comments = 0
  let at = 0
  while (at < value.length) {
    const character = value[at] ?? ""
    at++
    if (comments > 0) {
      if (character === "\\") at++
      else if (character === "(") comments++
      else if (character === ")") comments--
    } else if (character === "(") {
      comments++
      // A comment inside an address splits it in two, so the address is invalid.
      phrase += " "
    } else if (character === "\"") {
      hasQuotes = true
      while (at < value.length && value[at] !== "\"") {
        if (value[at] === "\\") at++
        phrase += value[at] ?? ""
        at++
      }
      if (at >= value.length) return none
      at++
    } else if (character === "<") {
      const end = value.indexOf(">", at)
      if (address !== undefined || end < 0) return none
      address = value.slice(at, end).trim()
      at = end + 1
    } else if (/[,;:>)]/.test(character)) return none
    else if (address !== undefined && character.trim() !== "") return none
    else phrase += character
  }
  return comments === 0 ? { phrase, address, hasQuotes } : none
}
