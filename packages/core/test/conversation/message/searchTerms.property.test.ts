import { containsTerms, parseQueryTerms, toMessageSearchTerms } from "@trailbook/core/conversation/message/MessageStore"
import { normalizeForSearch } from "@trailbook/core/customer/customerSearch"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

const isFound = (body: string, q: string, subject = "") =>
  containsTerms(parseQueryTerms(q), toMessageSearchTerms({ subject, body }))

const letters = FastCheck.string({
  unit: FastCheck.constantFrom(...Array.from("abAåÉßøЖж山川水ชา019 .-@'\n\u0301"), "Σ", "ς", "😀", "ﬁ", "한"),
  maxLength: 16
})

/**
 * A second implementation, letter by letter: each word of `q` must be a prefix of a word or occur in a run without
 * spaces.
 */
const oracle = (text: string, q: string): boolean => {
  const runsOf = (text: string) => {
    const runs: Array<{ readonly unspaced: boolean; readonly letters: Array<string> }> = []
    let open = false
    for (const letter of normalizeForSearch(text)) {
      if (!/[\p{L}\p{N}]/u.test(letter)) {
        open = false
        continue
      }
      const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
        .test(letter)
      const last = runs.at(-1)
      if (open && last?.unspaced === unspaced) last.letters.push(letter)
      else runs.push({ unspaced, letters: [letter] })
      open = true
    }
    return runs
  }
  const queryRuns = runsOf(q)
  const there = runsOf(text)
  const pairs = (letters: ReadonlyArray<string>) =>
    letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`)
  return queryRuns.length > 0 && queryRuns.every(({ letters, unspaced }) =>
    unspaced
      ? pairs(letters).every((pair) => there.some((run) => run.unspaced && run.letters.join("").includes(pair)))
      : there.some((run) => !run.unspaced && run.letters.join("").startsWith(letters.join("")))
  )
}

describe("the words in a message", () => {
  it("are found by their prefixes in any script", () => {
    for (
      const [body, ...searches] of [
        ["Is it very wet in May?", "wet", "WET may", "ma we", "is"],
        ["Crème brûlée à Zürich", "creme", "BRULEE", "zuric"],
        ["Das Wasser heißt Weiß", "heisst", "weiss"],
        ["山川水の天気", "山川", "川水", "天気", "山", "気", "山川水"],
        ["Où est-ce? 0612", "ou", "ce", "061"]
      ] as const
    ) {
      for (const q of searches) expect(isFound(body, q), `${body}: ${q}`).toBe(true)
    }
    for (const [body, q] of [["Is it wet?", "et"], ["Is it wet?", "wet dry"], ["山川水", "山水"], ["a", "?!"]]) {
      expect(isFound(`${body}`, `${q}`), `${body}: ${q}`).toBe(false)
    }
    expect(isFound("See you", "raft", "Your raft")).toBe(true)
  })

  it("are found exactly as in a letter-by-letter search", () => {
    FastCheck.assert(
      FastCheck.property(letters, letters, (body, q) => {
        expect(isFound(body, q)).toBe(oracle(body, q))
      }),
      { numRuns: 500 }
    )
  })

  it("are found by a search for the complete message", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary", maxLength: 40 }), (text) => {
        const terms = parseQueryTerms(text)
        if (terms.length > 0) expect(isFound(text, text)).toBe(true)
        for (const part of terms) expect(isFound(text, Array.from(part).slice(0, 2).join(""))).toBe(true)
      })
    )
  })
})
