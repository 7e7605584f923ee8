/**
 * What finds a guest: words of their name, e-mail and phone, in any writing.
 *
 * Letters count without case, accents and other marks, and letters that are no
 * plain letter with a mark stand for plain ones: ß for ss, ø for o, ł for l.
 * Whatever is neither letter nor digit parts words, and does not count itself. An
 * apostrophe both parts and does not: O'Brien is found as "obrien", and as "o brien".
 * Writings without spaces have a word in each letter.
 *
 * What is asked for is parted the same way, and each part of it must begin some
 * word of the guest's, in whatever order. The digits of a phone are one number,
 * and a part may begin anywhere in it: "719-555-0142" is three parts that all lie in
 * "+1 7195550142". A country code in front of what is asked for does not count,
 * because half of all people write it down.
 *
 * Of a longer text the first twelve parts count.
 *
 * A part that is a whole reference finds what it refers to, too; so does all that
 * is asked for taken together, as in "K7XQ-2M9P". The letters that Crockford's base
 * 32 leaves out are read as the digits they look like.
 */
import type { Customer } from "./Customer.ts"

/** What was asked for, as it is compared. */
export interface Search {
  /** Each must be found. Without any, nothing is: there were only signs. */
  readonly parts: ReadonlyArray<SearchTerm>
  /** What all of it together refers to. */
  readonly reference: string | undefined
}

export interface SearchTerm {
  /** The beginning of a word. */
  readonly word: string
  /** The booking it may be instead. */
  readonly reference: string | undefined
}

/** Reads what somebody typed. */
export const parseSearch = (q: string): Search => {
  const words = parted(plain(q.replace(countryCode, " ")).replace(apostrophes, ""))
  return {
    parts: words.slice(0, maxParts).map((word) => ({ word, reference: referenceIn(word) })),
    reference: words.length > 1 ? referenceIn(words.join("")) : undefined
  }
}

/** The reference that all of the text together stands for, for callers that search bookings without their guests. */
export const referenceOf = (q: string): string | undefined => {
  const { parts: [only, ...others], reference } = parseSearch(q)
  return reference ?? (others.length === 0 ? only?.reference : undefined)
}

/**
 * The words that find a guest: what parts of a search may begin. Whatever begins a
 * word also begins the longer ones that begin with it, so only the longest are here.
 */
export const toSearchTerms = (
  { email, name, phone }: Pick<Customer, "email" | "name" | "phone">
): ReadonlyArray<string> => {
  const text = plain(`${name} ${email} ${phone}`)
  const digits = plain(phone).match(/\p{Nd}/gu) ?? []
  const words = [
    ...new Set([
      ...parted(text.replace(apostrophes, "")),
      ...parted(text),
      ...digits.map((_, at) => digits.slice(at, at + maxLength).join(""))
    ])
  ].sort()
  // In this order whatever begins with a word comes right behind it.
  return words.filter((word, at) => words[at + 1]?.startsWith(word) !== true)
}

/**
 * Whether a search finds somebody, or something of theirs, that these words and
 * references stand for.
 */
export const matches = (
  { parts, reference }: Search,
  words: ReadonlyArray<string>,
  references: ReadonlyArray<string>
): boolean => {
  const refers = (to: string | undefined) => to !== undefined && references.includes(to)
  return refers(reference) ||
    (parts.length > 0 &&
      parts.every((part) => words.some((word) => word.startsWith(part.word)) || refers(part.reference)))
}

/** "+1 719 …", "(+44) 20 …" and "+17195550142": a plus, up to three digits, and then the number. */
const countryCode = /(?<![^\s(])\+(?:\d{1,3}(?=[\s()./-]+\d)|1(?=\d{10}(?!\d)))/u

const apostrophes = /['\u2018\u2019\u02bc`\u00b4]/gu

/** Text without case and marks, as it is compared. */
// A dotted capital I has a mark in lower case only when it keeps it, so marks go first.
export const plain = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}+/gu, "").toLowerCase().replace(odd, (letter) => plainOf.get(letter) ?? letter)

const plainOf: ReadonlyMap<string, string> = new Map(Object.entries({
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ŋ: "ng",
  // Which of the two it is depends on what follows.
  ς: "σ"
}))

const odd = new RegExp(`[${[...plainOf.keys()].join("")}]`, "gu")

/** Letters of writings without spaces, for a class of a regular expression. */
export const unspaced = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}"
const wordPattern = new RegExp(`(?=[\\p{L}\\p{N}])[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{N}])+`, "gu")

/** Each is looked up, and whoever searches has said enough by then. */
const maxParts = 12

/** An index holds keys of so many bytes and no more, and nobody tells guests apart by the sixty-fifth letter. */
const maxLength = 64

const parted = (text: string): ReadonlyArray<string> => [
  ...new Set((text.match(wordPattern) ?? []).map((word) => Array.from(word).slice(0, maxLength).join("")))
]

const referenceIn = (word: string): string | undefined => {
  const reference = word.toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1")
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(reference) ? reference : undefined
}
