import { toSingleLine } from "./sanitizeHeader.ts"

/**
 * `Hi Ada,` or, where the first word of a name is not plainly one, `Hello,`.
 *
 * Whoever fills in a booking form chooses both the name and whom it is sent to.
 * So only letters are repeated: `Hi www.prize.example,` would be somebody else's
 * advertisement in the outfitter's mail.
 *
 * @category converting
 */
export const greeting = (name: string): string => {
  const [first = ""] = toSingleLine(name).split(" ")
  return plain.test(first) ? `Hi ${first},` : "Hello,"
}

// The joiners at the end are part of words in Persian and Indic scripts.
const plain = /^\p{L}[\p{L}\p{M}'’\-\u200C\u200D]{0,39}$/u
