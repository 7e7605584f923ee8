/**
 * What finds a message: the words of its subject and its body, in any writing.
 *
 * Letters count without case, accents and other marks. Whatever is neither letter
 * nor digit parts words. Writings without spaces have a word in each two letters
 * that follow one another, and in the last.
 *
 * What is asked for is parted the same way, and each part of it must begin some
 * word. Every storage keeps the words as one text, each behind a blank, and looks
 * for a part behind a blank: so all find the same, whatever their own ideas of words.
 */
import { plain, unspaced } from "../customer/customerSearch.ts"
import type { Message } from "./Message.ts"
import { isReply } from "./subjects.ts"

/**
 * The words of a message as they are stored, each behind a blank.
 *
 * @category calculating
 */
export const searchTerms = ({ body, subject }: Pick<Message, "subject" | "body">): string =>
  // A reply repeats the subject of the guest's message, so a search for its words would find the complete thread.
  [...new Set(runs(isReply({ subject }) ? body : `${subject} ${body}`).flatMap(wordsOfRun))].map(behindBlank).join("")

/**
 * What each stands behind a blank in the words of a message that is found; of a
 * longer text the first twelve parts count. Without any, no message is found: there
 * were only signs.
 *
 * @category calculating
 */
export const queryTerms = (q: string): ReadonlyArray<string> =>
  [...new Set(runs(q).flatMap(partsOfRun))].slice(0, maxParts).map(behindBlank)

/**
 * Whether these words have all of these parts.
 *
 * @category calculating
 */
export const matches = (parts: ReadonlyArray<string>, words: string): boolean =>
  parts.length > 0 && parts.every((part) => words.includes(part))

interface Run {
  readonly letters: ReadonlyArray<string>
  readonly isUnspaced: boolean
}

const runPattern = new RegExp(`(?:(?=[\\p{L}\\p{N}])[${unspaced}])+|(?:(?![${unspaced}])[\\p{L}\\p{N}])+`, "gu")
const beginsUnspaced = new RegExp(`^[${unspaced}]`, "u")

const runs = (text: string): ReadonlyArray<Run> =>
  (plain(text).match(runPattern) ?? []).map((run) => ({
    letters: Array.from(run),
    isUnspaced: beginsUnspaced.test(run)
  }))

const wordsOfRun = ({ isUnspaced, letters }: Run): ReadonlyArray<string> =>
  isUnspaced ? letters.map((letter, at) => letter + (letters[at + 1] ?? "")) : [letters.slice(0, maxLength).join("")]

// The last letter of what is asked for need not be the last of what is found.
const partsOfRun = (run: Run): ReadonlyArray<string> =>
  run.isUnspaced && run.letters.length > 1 ? wordsOfRun(run).slice(0, -1) : wordsOfRun(run)

const behindBlank = (word: string): string => ` ${word}`

/** Whoever searches has said enough by then. */
const maxParts = 12

const maxLength = 64
