import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { editTexts } from "./edited.ts"

const lastDay = Date.UTC(9999, 11, 31) / 86_400_000

const dates = FastCheck.integer({ min: 0, max: lastDay }).map(LocalDate.make)

describe("LocalDate", () => {
  it("formats and parses every date from 1968 to 2105 like Date", () => {
    const dates = Array.from({ length: 137 * 365 }, (_, days) => LocalDate.make(days - 731))
    const wrong = dates.find((date) => JSON.stringify(describeDate(date)) !== JSON.stringify(reference(date)))
    expect(wrong).toBeUndefined()
  })

  it("formats and parses every date until 9999 like Date", () => {
    FastCheck.assert(
      FastCheck.property(dates, (date) => {
        expect(describeDate(date)).toEqual(reference(date))
      }),
      { numRuns: 5000 }
    )
  })

  it("accepts only valid calendar dates", () => {
    let parsedCount = 0
    let rejectedCount = 0
    FastCheck.assert(
      FastCheck.property(texts, (text) => {
        const expected = dateOf(text)
        expect(LocalDate.parse(text)).toBe(expected)
        if (expected === undefined) rejectedCount++
        else parsedCount++
      }),
      { numRuns: 20_000 }
    )
    expect(Math.min(parsedCount, rejectedCount)).toBeGreaterThan(3000)
  })

  it.each([
    "2027-02-29",
    "2100-02-29",
    "2027-13-01",
    "2027-5-1",
    "1969-12-31",
    "10000-01-01",
    "2027-05-01Z",
    "2027-05-01\n",
    ""
  ])(
    "rejects %j",
    (text) => {
      expect(LocalDate.parse(text)).toBeUndefined()
    }
  )

  it("adds days, and keeps the weekday when adding weeks", () => {
    FastCheck.assert(
      FastCheck.property(dates, FastCheck.integer({ min: -4000, max: 4000 }), (date, n) => {
        const at = new Date(date * 86_400_000)
        const later = LocalDate.addDays(date, n)
        expect(later * 86_400_000).toBe(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + n))
        expect(LocalDate.weekday(LocalDate.addDays(date, n * 7))).toBe(LocalDate.weekday(date))
      })
    )
  })
})

const describeDate = (date: LocalDate.LocalDate) => {
  const text = LocalDate.format(date)
  return { text, weekday: LocalDate.weekday(date), parsed: LocalDate.parse(text) }
}

const reference = (date: LocalDate.LocalDate) => {
  const at = new Date(date * 86_400_000)
  return { text: at.toISOString().slice(0, 10), weekday: at.getUTCDay(), parsed: date < 0 ? undefined : date }
}

/** A second implementation: `Date` must return the same text. */
const dateOf = (text: string): number | undefined => {
  const millis = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  const exists = !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(text) && text >= "1970"
  return exists ? millis / 86_400_000 : undefined
}

const texts = FastCheck.oneof(
  FastCheck.stringMatching(/^(19[67]\d|20\d\d|[0-9]\d{3})-(0\d|1[0-3])-([0-2]\d|3[0-3])$/),
  editTexts(FastCheck.stringMatching(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d)$/)),
  FastCheck.stringMatching(/^\d{3,5}-\d{1,2}-\d{1,2}$/)
)
