import type { ReplyContext } from "@trailbook/core/conversation"

/** The emails that Trailbook sent in this conversation, Trailbook's addresses, and the outfitter's name. */
export type KnownText = Pick<ReplyContext, "addresses" | "orgName" | "sent">

export type KnownTextMatcher = ReturnType<typeof makeKnownTextMatcher>

/**
 * Recognizes text that we sent, our addresses, and the outfitter's name within a line. Compares only letters and
 * digits, because mail programs wrap and mark lines, make text bold, and change quotation marks.
 */
export const makeKnownTextMatcher = ({ addresses, orgName, sent }: KnownText) => {
  const bodies = sent.slice(0, mostBodies).map((body) => letters(body.slice(0, mostCharacters)))
  const all = bodies.join("\n")
  const name = letters(orgName)
  const locals = addresses.map((address) => address.toLowerCase())
  const isRepeated = (line: string, least: number): boolean => {
    const words = letters(line)
    return words.length > 0 && weight(words) >= least && all.includes(words)
  }
  return {
    /** Whether a line has at least 16 letters and appears in text that we sent. */
    repeats: (line: string): boolean => isRepeated(line, leastWeight),
    /** Whether a line of any length appears in text that we sent. A short match is only weak evidence. */
    repeatsBriefly: (line: string): boolean => isRepeated(line, 1),
    /** Whether a message that we sent starts with the line. */
    begins: (line: string): boolean => {
      const words = letters(line)
      return words.length > 0 && bodies.some((body) => body.startsWith(words))
    },
    /** Whether the text equals an entire message that we sent. */
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

/** Keeps only letters and digits, normalized and lowercase. */
const letters = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** Counts each Chinese, Japanese, or Korean character as two letters, because it carries more information. */
const weight = (words: string): number => words.length + words.replace(/[\0-\u2E7F]+/g, "").length

// Guests often repeat short phrases such as "See you soon" by chance, but rarely a line of 16 letters.
const leastWeight = 16

const mostBodies = 20
const mostCharacters = 8 * 1024
