import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { editTexts } from "./edited.ts"

describe("LocalTime", () => {
  it("formats and parses every second of a day like Date", () => {
    const seconds = Array.from({ length: 86_400 }, (_, second) => LocalTime.make(second))
    const wrong = seconds.find((second) => {
      const text = timeText(second)
      const short = second % 60 === 0 ? text.slice(0, 5) : text
      return LocalTime.format(second) !== text || LocalTime.parse(text) !== second || LocalTime.parse(short) !== second
    })
    expect(wrong).toBeUndefined()
  })

  it("treats 24:00 as the end of the day, after every other time", () => {
    const end = LocalTime.parse("24:00")
    expect(end).toBe(86_400)
    expect(LocalTime.parse("24:00:00")).toBe(end)
    expect(LocalTime.format(LocalTime.make(86_400))).toBe("24:00:00")
  })

  it("accepts only valid clock times and 24:00", () => {
    let parsedCount = 0
    let rejectedCount = 0
    FastCheck.assert(
      FastCheck.property(texts, (text) => {
        const expected = clock.get(text)
        expect(LocalTime.parse(text)).toBe(expected)
        if (expected === undefined) rejectedCount++
        else parsedCount++
      }),
      { numRuns: 20_000 }
    )
    expect(Math.min(parsedCount, rejectedCount)).toBeGreaterThan(3000)
  })

  it.each([
    "24:01",
    "24:00:01",
    "25:00",
    "12:60",
    "12:00:60",
    "9:00",
    "12",
    "1200",
    "12:00:00.0",
    "12:00Z",
    "-1:00",
    "12:00\n",
    ""
  ])(
    "rejects %j",
    (text) => {
      expect(LocalTime.parse(text)).toBeUndefined()
    }
  )
})

const timeText = (second: number): string => new Date(second * 1000).toISOString().slice(11, 19)

/** A second implementation: a list of all valid strings. */
const clock = new Map([
  ["24:00", 86_400],
  ["24:00:00", 86_400]
])
for (let second = 0; second < 86_400; second++) {
  clock.set(timeText(second), second)
  if (second % 60 === 0) clock.set(timeText(second).slice(0, 5), second)
}

const texts = FastCheck.oneof(
  FastCheck.stringMatching(/^[0-2]\d:[0-6]\d(:[0-6]\d)?$/),
  FastCheck.stringMatching(/^2[34]:0[01](:0[01])?$/),
  editTexts(FastCheck.stringMatching(/^[01]\d:[0-5]\d(:[0-5]\d)?$/)),
  FastCheck.stringMatching(/^\d{1,3}:\d{1,3}(:\d{1,3})?$/)
)
