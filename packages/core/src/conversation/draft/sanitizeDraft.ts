/**
 * Sanitizes a language model's output. The result is plain text, no longer than a message can be, and contains no links
 * except to targets that the outfitter uses. A guest's text could make the model add a link, and people click links
 * without reading them.
 *
 * A link is any text that a mail program or a person would follow: text with a scheme, an email address, or a name with
 * a dot. A missing space between two sentences ("Yes.See you") is not treated as a link, because domains are not
 * written with a capital letter.
 */

/**
 * Returns the sanitized text, or an empty string. Links that occur in `ownTexts`, the outfitter's texts, are allowed.
 */
export const sanitizeDraft = (response: string, ownTexts: ReadonlyArray<string>): string => {
  const allowedAddresses = new Set(ownTexts.flatMap((text) => (text.match(wordPattern) ?? []).flatMap(findAddresses)))
  const draftText = toPlainText(response).replace(
    wordPattern,
    (token) =>
      findAddresses(token).every((address) => allowedAddresses.has(address))
        ? token
        : removedLinkMarker + (/(?<![.,;:!?…*_])[.,;:!?…*_]+$/.exec(token)?.[0] ?? "")
  )
  return Array.from(draftText.trim()).slice(0, maxLength).join("").trim()
}

/** The text that replaces a removed link. */
export const removedLinkMarker = "[link removed]"

/** The maximum length of a message. */
const maxLength = 5000
const maxInputLength = 50_000

const toPlainText = (text: string): string =>
  text
    .slice(0, maxInputLength)
    .toWellFormed()
    // Remove the reasoning that some models write first.
    .replace(/^\s*<think>.*?<\/think>/s, "")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(hiddenCharacters, "")
    .replace(/\n{3,}/g, "\n\n")

// Control characters, and characters that hide text or change its direction.
const hiddenCharacters = /(?![\n\t])\p{Cc}|[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu

/** Text between spaces, brackets, quotation marks, and commas. */
const wordPattern = /[^\s<>()[\]{}"'`,;«»“”„]+/gu

const schemePattern = /[a-z][a-z0-9+.-]{1,20}:[\\/]{1,2}|(?:mailto|tel|sms|javascript|data|whatsapp|tg):/iy
const hostPattern = /[\p{L}\p{N}._%+@-]+/uy

/** The maximum length of a link. This is longer than any link that a person would read. */
const maxWordLength = 2000

/**
 * Returns the link targets in a word: complete email addresses, hosts in URLs, and the complete text for other schemes.
 */
const findAddresses = (text: string): ReadonlyArray<string> => {
  // Browsers also accept dots from other scripts.
  const token = text.replace(/[．。｡]/g, ".")
  if (token.length > maxWordLength) return /[.:@]/.test(token) ? [token] : []
  const addresses: Array<string> = []
  for (let at = 0; at < token.length;) {
    schemePattern.lastIndex = hostPattern.lastIndex = at
    const scheme = schemePattern.exec(token)
    // All text after a scheme is part of the link.
    if (scheme !== null) return [...addresses, toLinkTarget(scheme[0], token.slice(at + scheme[0].length))]
    const match = hostPattern.exec(token)?.[0]
    if (match === undefined) {
      at += 1
      continue
    }
    at += match.length
    const hasPath = /^(?:[/?#]|:\d)/.test(token.slice(at, at + 2))
    const address = toAddress(match, hasPath)
    if (address !== undefined) addresses.push(address)
    if (address !== undefined && hasPath) return addresses
  }
  return addresses
}

const toLinkTarget = (scheme: string, address: string): string => {
  if (/^mailto:/i.test(scheme)) return normalizeAddress(address.replace(/[?#].*$/, ""))
  if (!/[\\/]$/.test(scheme)) return (scheme + address).toLowerCase()
  const authority = /^[\\/]*([^\\/?#]*)/.exec(address)?.[1] ?? ""
  return normalizeAddress(authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, ""))
}

/** Returns the text in lowercase, without surrounding punctuation and without a leading `www.`. */
const normalizeAddress = (text: string): string =>
  text.toLowerCase().replace(/^[.-]+|(?<![.…!?:*_-])[.…!?:*_-]+$/gu, "").replace(/^www\./, "")

/** Returns the link target in a word, or undefined if the word is not a link. */
const toAddress = (text: string, hasPath: boolean): string | undefined => {
  const name = text.replace(/^[._-]+|(?<![._-])[._-]+$/g, "")
  const labels = name.slice(name.lastIndexOf("@") + 1).split(".")
  const topLevelLabel = labels.at(-1) ?? ""
  if (labels.length < 2 || labels.includes("")) return undefined
  if (name.includes("@")) return normalizeAddress(name)
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)) return hasPath ? name : undefined
  const isDomain = /^(?:[a-z]{2,63}|[A-Z]{2,63}|xn--[a-z0-9-]+)$/.test(topLevelLabel) ||
    hasPath && /^\p{L}{2,63}$/u.test(topLevelLabel)
  return isDomain ? normalizeAddress(name) : undefined
}
