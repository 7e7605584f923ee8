/** What we sent and where from, to know it again in a reply. */
export interface SentMail {
  /** The local parts of our own addresses of this conversation, as in `reply+<token>`. */
  readonly addresses: ReadonlyArray<string>
  readonly orgName: string
  /** The bodies that we sent, newest first. */
  readonly sent: ReadonlyArray<string>
}

export type KnownTextMatcher = ReturnType<typeof makeKnownTextMatcher>

/**
 * Knows our words, our address and our name in a line, whatever a mail program has
 * done to it: wrapped, quoted, set in bold, with other quotation marks.
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
    /** The line repeats some of what we sent. */
    repeats: (line: string): boolean => found(line, leastWeight),
    /** The same for a line of any length, which says little by itself. */
    repeatsBriefly: (line: string): boolean => found(line, 1),
    /** The line is how one of our messages begins. */
    begins: (line: string): boolean => {
      const words = letters(line)
      return words.length > 0 && bodies.some((body) => body.startsWith(words))
    },
    /** The text is all of one of our messages. */
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

/** Letters and digits alone, in one case and one form. */
const letters = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** A character of Chinese, Japanese or Korean says as much as two or three of others. */
const weight = (words: string): number => words.length + words.replace(/[\0-\u2E7F]+/g, "").length

// "See you on Saturday" is said by both; a line as long as this is hardly said twice by chance.
const leastWeight = 16

const mostBodies = 20
const mostCharacters = 8 * 1024
