/**
 * Guests, mail servers, and language models choose the text that these patterns match. A pattern that retries a run of
 * one character at each position takes seconds for 50 kB and blocks the event loop the whole time.
 */
import { assert, describe, it } from "vitest"
import { patternsOf } from "./patterns/patternsOf.ts"

/** Measures the processor time in milliseconds, which other programs on the machine do not affect. */
const cost = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

/**
 * Measures the elapsed time in milliseconds, which is at least the processor time of this thread. Reading the elapsed
 * time costs less than most patterns, while reading the processor time costs more.
 */
const elapsed = (work: () => void): number => {
  const before = performance.now()
  work()
  return performance.now() - before
}

const lowestCost = (work: () => void): number => Math.min(...Array.from({ length: 3 }, () => cost(work)))

const apply = (regex: RegExp, text: string): void => {
  if (regex.global) text.replace(regex, "")
  else {
    regex.lastIndex = 0
    regex.exec(text)
  }
}

const characters = [..." \n\r\t-_.,:;/\\<>()[]{}'\"`@#%&=+*!?|~^$a0AZéЖ漢\u00A0…–—"]

/** Each run is tested alone and inside other text, where `^` and `$` do not match at its edges. */
const surroundings = [["", ""], ["", "\u0001"], ["a", "\u0001"], ["\u0001", "\u0001"]] as const

/**
 * There are only a few short lengths, because thousands of runs are tried. A quadratic pattern takes 10 ms or more for
 * the longest run.
 */
const lengths = [16, 128, 1024, 4096]
const noticeableMs = 3

const runs = characters.flatMap((character) =>
  surroundings.map(([before, after]) => {
    const text = (length: number): string => before + character.repeat(length) + after
    return { character, text, samples: lengths.map((length) => ({ length, sample: text(length) })) }
  })
)

interface Growth {
  readonly character: string
  readonly length: number
  readonly ms: number
  readonly doubledMs: number
}

/** Returns the first run for which doubling the length more than triples the cost. */
const superlinearGrowth = (regex: RegExp): Growth | undefined => {
  for (const { character, samples, text } of runs) {
    for (const { length, sample } of samples) {
      if (elapsed(() => apply(regex, sample)) < noticeableMs) continue
      const ms = lowestCost(() => apply(regex, sample))
      // The first measurement was high because the runtime paused, not because of the pattern.
      if (ms < noticeableMs) continue
      const doubled = text(2 * length)
      const doubledMs = lowestCost(() => apply(regex, doubled))
      if (doubledMs > 3 * ms) return { character, length, ms, doubledMs }
      break
    }
  }
  return undefined
}

describe("regular expressions in the packages", () => {
  it("take linear time on a repeated character", async () => {
    const patterns = await patternsOf()
    assert.isAbove(patterns.length, 200)
    const slow = patterns.flatMap(({ files, regex }) => {
      const growth = superlinearGrowth(regex)
      return growth === undefined ? [] : [{ pattern: String(regex), files, ...growth }]
    })
    assert.deepEqual(slow, [])
  }, 600_000)

  it.each([/[.,;:]+$/, /\s*;\s*q=/, /[\w.+-]+@[\w.-]+/g])("control: detects %s", (regex) => {
    assert.isDefined(superlinearGrowth(regex))
  })
})
