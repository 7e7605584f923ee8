import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { findClosestMatch } from "../../src/setting/findClosestMatch.ts"

const names = ["database", "port", "host", "public-url", "rate-limit", "log-level", "shutdown-grace-seconds"]
const letter = FastCheck.constantFrom(...Array.from("abcdefghijklmnopqrstuvwxyz-"))

describe("the closest match", () => {
  it.each([
    ["prt", "port"],
    ["prot", "port"],
    ["Port", "port"],
    ["databse", "database"],
    ["public_url", "public-url"],
    ["rate-limits", "rate-limit"],
    ["shutdown-grace", undefined],
    ["xyz", undefined],
    ["", undefined]
  ])("to %j is %j", (input, expected) => {
    expect(findClosestMatch(input, names)).toBe(expected)
  })

  it("is the name itself if the name is correct", () => {
    for (const name of names) expect(findClosestMatch(name, names)).toBe(name)
  })

  it("is found after any single-letter typo", () => {
    const slip = FastCheck.record({
      name: FastCheck.constantFrom(...names),
      at: FastCheck.nat(),
      letter,
      kind: FastCheck.constantFrom("added", "lost", "changed", "swapped")
    }).map(({ at, kind, letter, name }) => {
      const here = at % name.length
      const [before, after] = [name.slice(0, here), name.slice(here)]
      switch (kind) {
        case "added":
          return { name, written: before + letter + after }
        case "lost":
          return { name, written: before + after.slice(1) }
        case "changed":
          return { name, written: before + letter + after.slice(1) }
        default:
          return { name, written: before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2) }
      }
    })
    FastCheck.assert(FastCheck.property(slip, ({ name, written }) => {
      // Omit names that are too similar. "host" and "port" differ in two letters, so one typo can be equally close to
      // both.
      const candidates = [name, ...names.filter((other) => other.length > name.length + 1)]
      expect(findClosestMatch(written, candidates)).toBe(name)
    }))
  })

  it("is a name with the fewest edits, within a limit", () => {
    const word = FastCheck.string({ unit: letter, minLength: 1, maxLength: 8 })
    FastCheck.assert(FastCheck.property(word, FastCheck.array(word, { maxLength: 5 }), (input, names) => {
      const match = findClosestMatch(input, names)
      const reach = Math.max(1, Math.floor(input.length / 3))
      const edits = names.map((name) => slow(input, name))
      const fewest = Math.min(Infinity, ...edits)
      expect(match).toBe(fewest <= reach ? names[edits.indexOf(fewest)] : undefined)
    }))
  })
})

/** Computes the edit distance by its recursive definition. */
const slow = (a: string, b: string): number => {
  if (a === "" || b === "") return a.length + b.length
  const swap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)
  return Math.min(
    slow(a.slice(0, -1), b) + 1,
    slow(a, b.slice(0, -1)) + 1,
    slow(a.slice(0, -1), b.slice(0, -1)) + (a.at(-1) === b.at(-1) ? 0 : 1),
    swap ? slow(a.slice(0, -2), b.slice(0, -2)) + 1 : Infinity
  )
}
