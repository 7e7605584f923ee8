/**
 * Full-text search for messages. It covers the words in the subject and the body, in any script.
 *
 * Case, accents, and other marks are ignored. Every character that is neither a letter nor a digit separates words. In
 * scripts without spaces, each pair of adjacent letters counts as a word, and the last letter does too.
 *
 * A query is split the same way, and each of its parts must be a prefix of a word. Every storage stores the words as a
 * single string with a space before each word, and searches for a space followed by the part. All storages therefore
 * return the same results, whatever full-text search they offer.
 */
import { normalizeForSearch, unspacedScripts } from "../../customer/customerSearch.ts"
import type { Message } from "./Message.ts"
import { isReply } from "./subjects.ts"

/** Returns a message's words as they are stored, each preceded by a space. */
export const toMessageSearchTerms = ({ body, subject }: Pick<Message, "subject" | "body">): string =>
  // Skip a reply's subject, because it repeats the subject of the guest's message, and a search for its words would
  // find the entire thread.
  [...new Set(runs(isReply({ subject }) ? body : `${subject} ${body}`).flatMap(wordsOfRun))].map(behindBlank).join("")

/**
 * Returns a query's parts, each preceded by a space. Only the first 12 parts are used. A query without letters or
 * digits matches nothing.
 */
export const parseQueryTerms = (q: string): ReadonlyArray<string> =>
  [...new Set(runs(q).flatMap(partsOfRun))].slice(0, maxParts).map(behindBlank)

/** Returns whether the words match every part. */
export const containsTerms = (parts: ReadonlyArray<string>, words: string): boolean =>
  parts.length > 0 && parts.every((part) => words.includes(part))

interface Run {
  readonly letters: ReadonlyArray<string>
  readonly isUnspaced: boolean
}

const runPattern = new RegExp(
  `(?:(?=[\\p{L}\\p{N}])[${unspacedScripts}])+|(?:(?![${unspacedScripts}])[\\p{L}\\p{N}])+`,
  "gu"
)
const beginsUnspaced = new RegExp(`^[${unspacedScripts}]`, "u")

const runs = (text: string): ReadonlyArray<Run> =>
  (normalizeForSearch(text).match(runPattern) ?? []).map((run) => ({
    letters: Array.from(run),
    isUnspaced: beginsUnspaced.test(run)
  }))

const wordsOfRun = ({ isUnspaced, letters }: Run): ReadonlyArray<string> =>
  isUnspaced ? letters.map((letter, at) => letter + (letters[at + 1] ?? "")) : [letters.slice(0, maxLength).join("")]

// Returns the parts of a run of letters. Omits the last single letter, because the pair before it already requires that
// letter.
const partsOfRun = (run: Run): ReadonlyArray<string> =>
  run.isUnspaced && run.letters.length > 1 ? wordsOfRun(run).slice(0, -1) : wordsOfRun(run)

const behindBlank = (word: string): string => ` ${word}`

/** The maximum number of parts. More parts rarely make a query more specific. */
const maxParts = 12

const maxLength = 64
