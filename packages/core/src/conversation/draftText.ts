/**
 * What a language model has answered, as it is shown: plain text within the bounds of a
 * message, without links to where the outfitter has not led before. A guest's words may
 * have it send people anywhere, and a link is followed more readily than read.
 */

/**
 * The text, or an empty one where nothing is left of it.
 *
 * @category converting
 */
export const draftText = (answer: string, own: ReadonlyArray<string>): string => {
  const plain = answer
    .toWellFormed()
    .replace(thoughts, "")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(unseen, "")
    .replace(/\n{3,}/g, "\n\n")
    .slice(0, maxRead)
  const known = new Set(own.flatMap((text) => placesIn(text)))
  const said = plain.replace(place, (link) => known.has(placeOf(link)) ? link : removed)
  return Array.from(said.trim()).slice(0, maxLength).join("").trim()
}

/**
 * What stands where a link was taken out.
 *
 * @category constants
 */
export const removed = "[link removed]"

/** As long as a message may be. */
const maxLength = 5000
const maxRead = 50_000

/** Some models think aloud first. */
const thoughts = /^\s*<think>.*?<\/think>/s

// Controls, and what has text read otherwise than it is written or hides in it.
const unseen = /(?![\n\t])\p{Cc}|[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu

const name = String.raw`(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,62})[.\uFF0E\u3002])+`

/**
 * Anything that a mail program or a person would follow: with a scheme, an e-mail
 * address, or a name with a dot in it. Where a blank was left out between sentences a
 * word of capitals and small letters follows, which is no domain.
 */
const place = new RegExp(
  [
    String.raw`\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"')\]]+`,
    String.raw`\b(?:mailto|tel|sms|javascript|data|whatsapp|tg):[^\s<>"')\]]+`,
    String.raw`[\p{L}\p{N}._%+-]{1,64}@${name}[\p{L}\p{N}-]{2,63}`,
    String
      .raw`\b${name}(?:\p{L}{2,63}\/[^\s<>"')\]]*|(?:[a-z]{2,63}|[A-Z]{2,63}|xn--[a-z0-9-]+)(?![\p{L}\p{N}@])(?:[:/?#][^\s<>"')\]]*)?)`,
    String.raw`\b\d{1,3}(?:\.\d{1,3}){3}(?:[:/][^\s<>"')\]]*)`
  ].join("|"),
  "giu"
)

/** Where it leads: an e-mail address whole, of a link the host. */
const placeOf = (link: string): string => {
  const text = link.toLowerCase().replace(/^mailto:/, "").replace(/[.,;:!?]+$/, "")
  if (text.includes("@") && !text.includes("://")) return text.replace(/\?.*$/, "")
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#]*@)?([^/?#:]+)/u.exec(text)?.[1] ?? text
  return host.replace(/^www\./, "")
}

const placesIn = (text: string): ReadonlyArray<string> => (text.match(place) ?? []).map(placeOf)
