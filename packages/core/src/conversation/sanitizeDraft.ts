/**
 * What a language model has answered, as it is shown: plain text within the bounds of a
 * message, without links to where the outfitter has not led before. A guest's words may
 * have it send people anywhere, and a link is followed more readily than read.
 *
 * A link is what a mail program or a person would follow: anything with a scheme, an
 * e-mail address, or a name with a dot in it. Where a blank was left out between two
 * sentences ("Yes.See you") a word begins with a capital, which no domain is written like.
 */

/**
 * The text, or an empty one where nothing is left of it. `own` are texts of the
 * outfitter's: where they lead, a draft may lead, too.
 *
 * @category converting
 */
export const sanitizeDraft = (answer: string, own: ReadonlyArray<string>): string => {
  const known = new Set(own.flatMap((text) => (text.match(word) ?? []).flatMap(placesIn)))
  const said = plainOf(answer).replace(
    word,
    (token) =>
      placesIn(token).every((place) => known.has(place))
        ? token
        : removedLinkMarker + (/(?<![.,;:!?…*_])[.,;:!?…*_]+$/.exec(token)?.[0] ?? "")
  )
  return Array.from(said.trim()).slice(0, maxLength).join("").trim()
}

/**
 * What stands where a link was taken out.
 *
 * @category constants
 */
export const removedLinkMarker = "[link removed]"

/** As long as a message may be. */
const maxLength = 5000
const maxRead = 50_000

const plainOf = (text: string): string =>
  text
    .slice(0, maxRead)
    .toWellFormed()
    // Some models think aloud first.
    .replace(/^\s*<think>.*?<\/think>/s, "")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(unseen, "")
    .replace(/\n{3,}/g, "\n\n")

// Controls, and what has text read otherwise than it is written or hides in it.
const unseen = /(?![\n\t])\p{Cc}|[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu

/** What stands between blanks, brackets, quotation marks and commas. */
const word = /[^\s<>()[\]{}"'`,;«»“”„]+/gu

const withScheme = /[a-z][a-z0-9+.-]{1,20}:[\\/]{1,2}|(?:mailto|tel|sms|javascript|data|whatsapp|tg):/iy
const run = /[\p{L}\p{N}._%+@-]+/uy

/** Longer than any link that a person would read. */
const maxWord = 2000

/** Where a word leads: e-mail addresses whole, of links their hosts, of what is neither all of it. */
const placesIn = (given: string): ReadonlyArray<string> => {
  // Dots of other writings are dots to a browser.
  const token = given.replace(/[．。｡]/g, ".")
  if (token.length > maxWord) return /[.:@]/.test(token) ? [token] : []
  const places: Array<string> = []
  for (let at = 0; at < token.length;) {
    withScheme.lastIndex = run.lastIndex = at
    const scheme = withScheme.exec(token)
    // What follows a scheme belongs to it.
    if (scheme !== null) return [...places, targetOf(scheme[0], token.slice(at + scheme[0].length))]
    const found = run.exec(token)?.[0]
    if (found === undefined) {
      at += 1
      continue
    }
    at += found.length
    const hasPath = /^(?:[/?#]|:\d)/.test(token.slice(at, at + 2))
    const place = placeOf(found, hasPath)
    if (place !== undefined) places.push(place)
    if (place !== undefined && hasPath) return places
  }
  return places
}

const targetOf = (scheme: string, rest: string): string => {
  if (/^mailto:/i.test(scheme)) return bare(rest.replace(/[?#].*$/, ""))
  if (!/[\\/]$/.test(scheme)) return (scheme + rest).toLowerCase()
  const authority = /^[\\/]*([^\\/?#]*)/.exec(rest)?.[1] ?? ""
  return bare(authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, ""))
}

/** Lower case, without dots around it and without `www.`. */
const bare = (text: string): string =>
  text.toLowerCase().replace(/^[.-]+|(?<![.…!?:*_-])[.…!?:*_-]+$/gu, "").replace(/^www\./, "")

/** `undefined` for a word that leads nowhere. */
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
