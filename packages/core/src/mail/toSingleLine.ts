import { defangLinks } from "../wire/addresses.ts"

/**
 * Sanitizes user input for a single line. The result cannot start a new line in a header, calendar, or text, and cannot
 * change the direction of the surrounding text.
 */
export const toSingleLine = (text: string): string =>
  text.toWellFormed().replace(directions, "").replace(breaks, " ").replace(/ {2,}/g, " ").trim()

const breaks = /[\p{Cc}\p{Zl}\p{Zp}]/gu

// Embeddings, overrides, and isolates affect the text after them. The marks U+200E and U+200F do not.
const directions = /[\u202A-\u202E\u2066-\u2069]/g

/** Returns a person's name for emails, on one line and without links. */
export const formatNameForMail = (name: string): string => defangLinks(toSingleLine(name))

/**
 * Returns `Hi Ada,`, or `Hello,` if the first word of a name does not look like a name.
 *
 * Anyone can enter any name and any address in a booking form. Only letters are allowed, because `Hi
 * www.prize.example,` would be an advertisement in the outfitter's email.
 */
export const formatGreeting = (name: string): string => {
  const [first = ""] = toSingleLine(name).split(" ")
  return plain.test(first) ? `Hi ${first},` : "Hello,"
}

// The joiners at the end are part of words in Persian and Indic scripts.
const plain = /^\p{L}[\p{L}\p{M}'’\-\u200C\u200D]{0,39}$/u
