/**
 * Sanitizes a language model's output. The result is plain text, no longer than a message, and contains no links except
 * to targets that the outfitter uses. A guest's text could make the model add a link, and people click links without
 * reading them.
 *
 * A link is any text that a mail program or a person would follow: text with a scheme, an email address, or a name with
 * a dot. A missing space between two sentences ("Yes.See you") does not make a link, because a domain is not written
 * with a capital letter.
 */

/** Returns the sanitized text, or an empty string. Links from `ownTexts`, the outfitter's texts, are allowed. */
export const sanitizeDraft = (answer: string, ownTexts: ReadonlyArray<string>): string => {
  const allowedPlaces = new Set(ownTexts.flatMap((text) => (text.match(word) ?? []).flatMap(placesIn)))
  const draftText = plainOf(answer).replace(
    word,
    (token) =>
      placesIn(token).every((place) => allowedPlaces.has(place))
        ? token
        : removedLinkMarker + (/(?<![.,;:!?…*_])[.,;:!?…*_]+$/.exec(token)?.[0] ?? "")
  )
  return Array.from(draftText.trim()).slice(0, maxLength).join("").trim()
}

/** Replaces a removed link. */
export const removedLinkMarker = "[link removed]"

/** The maximum length of a message. */
const maxLength = 5000
const maxRead = 50_000

const plainOf = (text: string): string =>
  text
    .slice(0, maxRead)
    .toWellFormed()
    // Remove the reasoning that some models write first.
    .replace(/^\s*<think>.*?<\/think>/s, "")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(hiddenCharacters, "")
    .replace(/\n{3,}/g, "\n\n")

// Control characters, and characters that hide text or change its direction.
const hiddenCharacters = /(?![\n\t])\p{Cc}|[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu

/** Text between spaces, brackets, quotation marks, and commas. */
const word = /[^\s<>()[\]{}"'`,;«»“”„]+/gu

const withScheme = /[a-z][a-z0-9+.-]{1,20}:[\\/]{1,2}|(?:mailto|tel|sms|javascript|data|whatsapp|tg):/iy
const run = /[\p{L}\p{N}._%+@-]+/uy

/** The maximum length of a link. This is longer than any link that a person would read. */
const maxWord = 2000

/**
 * Returns the link targets in a word: complete email addresses, hosts in URLs, and the complete text for other schemes.
 */
const placesIn = (text: string): ReadonlyArray<string> => {
  // Browsers also accept dots from other scripts.
  const token = text.replace(/[．。｡]/g, ".")
  if (token.length > maxWord) return /[.:@]/.test(token) ? [token] : []
  const places: Array<string> = []
  for (let at = 0; at < token.length;) {
    withScheme.lastIndex = run.lastIndex = at
    const scheme = withScheme.exec(token)
    // All text after a scheme is part of the link.
    if (scheme !== null) return [...places, targetOf(scheme[0], token.slice(at + scheme[0].length))]
    const match = run.exec(token)?.[0]
    if (match === undefined) {
      at += 1
      continue
    }
    at += match.length
    const hasPath = /^(?:[/?#]|:\d)/.test(token.slice(at, at + 2))
    const place = placeOf(match, hasPath)
    if (place !== undefined) places.push(place)
    if (place !== undefined && hasPath) return places
  }
  return places
}

const targetOf = (scheme: string, address: string): string => {
  if (/^mailto:/i.test(scheme)) return bare(address.replace(/[?#].*$/, ""))
  if (!/[\\/]$/.test(scheme)) return (scheme + address).toLowerCase()
  const authority = /^[\\/]*([^\\/?#]*)/.exec(address)?.[1] ?? ""
  return bare(authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, ""))
}

/** Returns the text in lowercase, without surrounding punctuation and without a leading `www.`. */
const bare = (text: string): string =>
  text.toLowerCase().replace(/^[.-]+|(?<![.…!?:*_-])[.…!?:*_-]+$/gu, "").replace(/^www\./, "")

/** Returns the link target in a word, or undefined if the word is not a link. */
const placeOf = (text: string, hasPath: boolean): string | undefined => {
  const name = text.replace(/^[._-]+|(?<![._-])[._-]+$/g, "")
  const labels = name.slice(name.lastIndexOf("@") + 1).split(".")
  const last = labels.at(-1) ?? ""
  if (labels.length < 2 || labels.includes("")) return undefined
  if (name.includes("@")) return bare(name)
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)) return hasPath ? name : undefined
  const isDomain = /^(?:[a-z]{2,63}|[A-Z]{2,63}|xn--[a-z0-9-]+)$/.test(last) || hasPath && /^\p{L}{2,63}$/u.test(last)
  return isDomain ? bare(name) : undefined
}
