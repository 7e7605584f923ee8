import type { ReplyContext } from "@trailbook/core/conversation/mail-intake/MailIntake"

/** Mail sent by Trailbook and its addresses, to recognize them in a reply. */
export type SentMail = Pick<ReplyContext, "addresses" | "orgName" | "sent">

export type KnownTextMatcher = ReturnType<typeof makeKnownTextMatcher>

/**
 * Recognizes sent text, the address, and the name in a line, even if a mail program wrapped it, quoted it, made it
 * bold, or changed quotation marks.
 */
export const makeKnownTextMatcher = ({ addresses, orgName, sent }: SentMail) => {
  const bodies = sent.slice(0, mostBodies).map((body) => letters(body.slice(0, mostCharacters)))
  const all = bodies.join("\n")
  const name = letters(orgName)
  const locals = addresses.map((address) => address.toLowerCase())
  const found = (line: string, least: number): boolean => {
    const words = letters(line)
    return words.length > 0 && weight(words) >= least && all.includes(words)
  }
  return {
    /** Whether the line repeats a part of the sent text. */
    repeats: (line: string): boolean => found(line, leastWeight),
    /** Like `repeats`, for a line of any length. A short match is weak evidence. */
    repeatsBriefly: (line: string): boolean => found(line, 1),
    /** Whether a sent message starts with the line. */
    begins: (line: string): boolean => {
      const words = letters(line)
      return words.length > 0 && bodies.some((body) => body.startsWith(words))
    },
    /** Whether the text is a complete sent message. */
    isWhole: (text: string): boolean => {
      const words = letters(text)
      return words.length > 0 && bodies.includes(words)
    },
    hasAddress: (text: string): boolean => {
      const lower = text.toLowerCase()
      return locals.some((local) => lower.includes(local))
    },
    hasName: (text: string): boolean => name.length > 2 && letters(text).includes(name)
  }
}

/** Keeps only letters and digits, normalized and in lowercase. */
const letters = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** Counts a Chinese, Japanese, or Korean character as two letters, because it carries more information than one. */
const weight = (words: string): number => words.length + words.replace(/[\0-\u2E7F]+/g, "").length

// Guests and outfitters both write "See you on Saturday". A longer line is rarely repeated by chance.
const leastWeight = 16

const mostBodies = 20
const mostCharacters = 8 * 1024
