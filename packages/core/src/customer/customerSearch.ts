/**
 * Searches guests by the words in their name, email, and phone, regardless of how they are written.
 *
 * Case, accents, and other marks are ignored. Special letters that Unicode does not decompose are replaced: ß with ss,
 * ø with o, and ł with l. Characters other than letters and digits separate words. An apostrophe either separates words
 * or is ignored, so O'Brien is found as both "obrien" and "o brien". In scripts without spaces, each letter is a word.
 *
 * The query is split the same way. Each term must be a prefix of one of the guest's words, in any order. The digits of
 * a phone number are treated as a single number, and a term can match anywhere in it. The three terms of "719-555-0142"
 * all match "+1 7195550142". A country code at the start of the query is ignored, because stored numbers often lack it.
 *
 * Only the first 12 terms in a query are used.
 *
 * If a term is a complete reference, it also finds the booking with this reference. The entire query without separators
 * can also be a reference, as in "K7XQ-2M9P". The letters that Crockford's base 32 leaves out are read as the digits
 * that they resemble.
 */
import { type Customer, getContactEmail } from "./Customer.ts"

/** A parsed query. */
export interface SearchQuery {
  /** The terms, all of which must match. A query without terms, such as one with only punctuation, finds nothing. */
  readonly parts: ReadonlyArray<SearchTerm>
  /** The booking reference that the words spell when joined, if any. */
  readonly reference: string | undefined
}

export interface SearchTerm {
  /** A word prefix. */
  readonly word: string
  /** The term as a booking reference, if it is one. */
  readonly reference: string | undefined
}

/** Parses a query as the user typed it. */
export const parseSearchQuery = (q: string): SearchQuery => {
  const words = splitWords(normalizeForSearch(q.replace(countryCode, " ")).replace(apostrophes, ""))
  return {
    parts: words.slice(0, maxTerms).map((word) => ({ word, reference: toReference(word) })),
    reference: words.length > 1 ? toReference(words.join("")) : undefined
  }
}

/** Parses a query as a booking reference, for callers that search bookings without guest data. */
export const parseBookingReference = (q: string): string | undefined => {
  const { parts: [only, ...otherParts], reference } = parseSearchQuery(q)
  return reference ?? (otherParts.length === 0 ? only?.reference : undefined)
}

/**
 * Returns the guest's words that search terms can match as a prefix. Any prefix of a word is also a prefix of the
 * longer words that start with that word, so only the longest words are returned.
 */
export const toSearchTerms = (
  { name, phone, ...guest }: Pick<Customer, "email" | "name" | "phone">
): ReadonlyArray<string> => {
  const text = normalizeForSearch(`${name} ${getContactEmail(guest)} ${phone}`)
  const digits = normalizeForSearch(phone).match(/\p{Nd}/gu) ?? []
  const words = [
    ...new Set([
      ...splitWords(text.replace(apostrophes, "")),
      ...splitWords(text),
      ...digits.map((_, at) => digits.slice(at, at + maxLength).join(""))
    ])
  ].sort()
  // In sorted order, a word directly precedes the words that start with it.
  return words.filter((word, at) => words[at + 1]?.startsWith(word) !== true)
}

/** Returns whether a query matches a guest with these words and booking references. */
export const matchesSearch = (
  { parts, reference }: SearchQuery,
  words: ReadonlyArray<string>,
  references: ReadonlyArray<string>
): boolean => {
  const hasReference = (to: string | undefined) => to !== undefined && references.includes(to)
  return hasReference(reference) ||
    (parts.length > 0 &&
      parts.every((part) => words.some((word) => word.startsWith(part.word)) || hasReference(part.reference)))
}

/**
 * Matches a country code, as in "+1 719 …", "(+44) 20 …", and "+17195550142". A country code is a plus sign and up to 3
 * digits before the number.
 */
const countryCode = /(?<![^\s(])\+(?:\d{1,3}(?=[\s()./-]+\d)|1(?=\d{10}(?!\d)))/u

const apostrophes = /['\u2018\u2019\u02bc`\u00b4]/gu

/** Normalizes text for comparison, by removing case and marks. */
// Remove marks first, because a dotted capital I gets a combining mark when it is lowercased.
export const normalizeForSearch = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}+/gu, "").toLowerCase().replace(
    specialLetters,
    (letter) => baseLetters.get(letter) ?? letter
  )

const baseLetters: ReadonlyMap<string, string> = new Map(Object.entries({
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
  // The final form of sigma, which depends on the position in the word.
  ς: "σ"
}))

const specialLetters = new RegExp(`[${[...baseLetters.keys()].join("")}]`, "gu")

/** The scripts without spaces, as part of a character class in a regular expression. */
export const unspacedScripts =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}"
const wordPattern = new RegExp(
  `(?=[\\p{L}\\p{N}])[${unspacedScripts}]|(?:(?![${unspacedScripts}])[\\p{L}\\p{N}])+`,
  "gu"
)

/** The maximum number of terms. Each term is a separate lookup, and more terms rarely narrow the result. */
const maxTerms = 12

/**
 * The maximum length of a term. Index keys have a size limit in bytes, and in practice no two words differ only after
 * the 64th letter.
 */
const maxLength = 64

const splitWords = (text: string): ReadonlyArray<string> => [
  ...new Set((text.match(wordPattern) ?? []).map((word) => Array.from(word).slice(0, maxLength).join("")))
]

const toReference = (word: string): string | undefined => {
  const reference = word.toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1")
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(reference) ? reference : undefined
}
