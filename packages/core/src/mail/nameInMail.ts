import { withoutLinks } from "../wire/webAddress.ts"
import { toSingleLine } from "./sanitizeHeader.ts"

/** Returns a person's name for emails, on one line and without links. */
export const nameInMail = (name: string): string => withoutLinks(toSingleLine(name))

/**
 * Returns `Hi Ada,`, or `Hello,` if the first word of a name does not look like a name.
 *
 * Anyone can enter any name and any address in a booking form. Only letters are allowed, because `Hi
 * www.prize.example,` would be an advertisement in the outfitter's email.
 */
export const greeting = (name: string): string => {
  const [first = ""] = toSingleLine(name).split(" ")
  return plain.test(first) ? `Hi ${first},` : "Hello,"
}

// The joiners at the end are part of words in Persian and Indic scripts.
const plain = /^\p{L}[\p{L}\p{M}'’\-\u200C\u200D]{0,39}$/u
