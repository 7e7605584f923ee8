import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { editTexts } from "./edited.ts"

const instants = FastCheck.integer({ min: Instant.min, max: Instant.max }).map(Instant.make)

describe("Instant", () => {
  it("ranges from the start of 1970 to the end of 9999", () => {
    expect(Instant.format(Instant.min)).toBe("1970-01-01T00:00:00.000Z")
    expect(Instant.format(Instant.max)).toBe("9999-12-31T23:59:59.999Z")
  })

  it("formats like Date, with or without a cached date", () => {
    // The instants come in pairs, because the last formatted date is cached and the second instant often has the same
    // date.
    const pairs = FastCheck.tuple(instants, FastCheck.integer({ min: -90_000_000, max: 90_000_000 }))
    FastCheck.assert(
      FastCheck.property(pairs, ([first, distance]) => {
        for (const instant of [first, Instant.make(Math.min(Instant.max, Math.max(0, first + distance))), first]) {
          expect(Instant.format(instant)).toBe(new Date(instant).toISOString())
        }
      }),
      { numRuns: 5000 }
    )
  })

  it("parses its own output to the same instant", () => {
    FastCheck.assert(
      FastCheck.property(instants, (instant) => {
        expect(Instant.parse(Instant.format(instant))).toBe(instant)
      }),
      { numRuns: 5000 }
    )
  })

  it("parses a wall time with any valid UTC offset", () => {
    const offsets = FastCheck.integer({ min: -1439, max: 1439 })
    const atBounds = FastCheck.tuple(
      FastCheck.constantFrom(Instant.min, Instant.max),
      FastCheck.integer({ min: -200_000_000, max: 200_000_000 })
    ).map(([bound, by]) => bound + by)
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(instants, atBounds), offsets, (instant, offset) => {
        const wall = new Date(instant + offset * 60_000).toISOString()
        const zone = (offset < 0 ? "-" : "+") + new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16)
        // The year in the text must also be in the range. `toISOString` adds a sign to years after 9999.
        const inside = wall >= "1970" && instant >= Instant.min && instant <= Instant.max
        expect(Instant.parse(wall.replace("Z", zone))).toBe(inside ? instant : undefined)
      }),
      { numRuns: 5000 }
    )
  })

  it("parses valid ISO 8601 instants like Date, and rejects other strings", () => {
    let parsedCount = 0
    let rejectedCount = 0
    FastCheck.assert(
      FastCheck.property(texts, (text) => {
        const expected = reference(text)
        expect(Instant.parse(text)).toBe(expected)
        if (expected === undefined) rejectedCount++
        else parsedCount++
      }),
      { numRuns: 30_000 }
    )
    // A generator that produced only valid or only invalid text would prove nothing.
    expect(Math.min(parsedCount, rejectedCount)).toBeGreaterThan(3000)
  })

  it.each([
    ["2027-05-01T15:00:00.000Z", 1_809_183_600_000],
    ["2027-05-01T15:00Z", 1_809_183_600_000],
    ["2027-05-01T17:00:00+02:00", 1_809_183_600_000],
    ["2027-05-01T15:00:00-00:00", 1_809_183_600_000],
    ["2027-05-01T10:30:00-0430", 1_809_183_600_000],
    ["2027-05-01T17:00:00+02", 1_809_183_600_000],
    ["2027-05-01T15:00:00,5Z", 1_809_183_600_500],
    ["2027-05-01T15:00:00.0009Z", 1_809_183_600_000],
    ["2027-05-01T15:00:00.123999999Z", 1_809_183_600_123],
    ["2028-02-29T00:00:00Z", 1_835_395_200_000]
  ])("parses %s", (text, instant) => {
    expect(Instant.parse(text)).toBe(instant)
  })

  it.each([
    "2027-05-01T15:00:00",
    "2027-05-01",
    "2027-05-01 15:00:00Z",
    "2027-05-01t15:00:00Z",
    "2027-05-01T15:00:00z",
    "2027-05-01T24:00:00Z",
    "2027-05-01T23:59:60Z",
    "2027-05-01T15:00:00+24:00",
    "2027-05-01T15:00:00+01:60",
    "2027-05-01T15:00:00+01:",
    "2027-05-01T15:00:00+1",
    "2027-05-01T15:00:00+010",
    "2027-05-01T15:00:00\u221201:00",
    "2027-05-01T15:00:00.Z",
    "2027-05-01T15:00:00.1234567890Z",
    "2027-05-01T15Z",
    "20270501T150000Z",
    "2027-W17-6T15:00:00Z",
    "+002027-05-01T15:00:00Z",
    "2027-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z",
    "2027-04-31T00:00:00Z",
    "2027-00-01T00:00:00Z",
    "2027-01-00T00:00:00Z",
    "1969-12-31T23:59:59Z",
    "1969-12-31T23:00:00-02:00",
    "1970-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "2027-05-01T15:00:00Z\n",
    " 2027-05-01T15:00:00Z",
    "\u0662\u0660\u0662\u0667-05-01T15:00:00Z",
    ""
  ])("rejects %j", (text) => {
    expect(Instant.parse(text)).toBeUndefined()
  })

  it("adds and subtracts minutes as elapsed time", () => {
    FastCheck.assert(
      FastCheck.property(instants, FastCheck.integer({ min: -600_000, max: 600_000 }), (instant, n) => {
        const later = Instant.addMinutes(instant, n)
        expect(later - instant).toBe(n * 60 * 1000)
        expect(Instant.addMinutes(later, -n)).toBe(instant)
      })
    )
  })
})

/** A second implementation, with a regular expression for the format and a round trip through `Date` for validity. */
const reference = (text: string): number | undefined => {
  const shape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9}))?(Z|[+-]\d{2}(?::?\d{2})?)$/.exec(text)
  if (shape === null) return undefined
  const [, minute, second, fraction, zone] = shape
  if (second === undefined && fraction !== undefined) return undefined
  const millis = `${fraction ?? ""}000`.slice(0, 3)
  const wall = `${minute}${second ?? ":00"}.${millis}Z`
  const offset = `1970-01-01T${zone === "Z" ? "00:00" : hoursAndMinutes(zone!.slice(1))}:00.000Z`
  if (!survives(wall) || !survives(offset) || wall < "1970") return undefined
  const instant = Date.parse(wall) + (zone!.startsWith("-") ? 1 : -1) * Date.parse(offset)
  return /^(?:19[7-9]|[2-9]\d\d)\d-/.test(new Date(instant).toISOString()) ? instant : undefined
}

const hoursAndMinutes = (offset: string): string => `${offset.slice(0, 2)}:${offset.slice(2).replace(":", "") || "00"}`

const survives = (utc: string): boolean => {
  const millis = Date.parse(utc)
  return !Number.isNaN(millis) && new Date(millis).toISOString() === utc
}

const digits = (max: number): FastCheck.Arbitrary<string> =>
  FastCheck.integer({ min: 0, max }).map((n) => String(n).padStart(2, "0"))

/** Favors `usual`, so that a string with ten parts is sometimes valid. */
const mostly = <A>(usual: FastCheck.Arbitrary<A>, odd: FastCheck.Arbitrary<A>): FastCheck.Arbitrary<A> =>
  FastCheck.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd })

const assembled = FastCheck.tuple(
  mostly(
    FastCheck.integer({ min: 1970, max: 9999 }).map(String),
    FastCheck.constantFrom("1969", "1970", "9999", "0000", "10000", "70")
  ),
  FastCheck.constant("-"),
  mostly(FastCheck.integer({ min: 1, max: 12 }).map((n) => String(n).padStart(2, "0")), digits(13)),
  FastCheck.constant("-"),
  mostly(digits(31), digits(33)),
  mostly(FastCheck.constant("T"), FastCheck.constantFrom(" ", "t", "", "_")),
  mostly(digits(23), digits(25)),
  mostly(FastCheck.constant(":"), FastCheck.constantFrom("", ".")),
  mostly(digits(59), digits(61)),
  mostly(FastCheck.oneof(digits(59).map((n) => `:${n}`), FastCheck.constant("")), digits(61).map((n) => `:${n}`)),
  mostly(
    FastCheck.oneof(FastCheck.constant(""), FastCheck.stringMatching(/^\.\d{1,9}$/)),
    FastCheck.stringMatching(/^[.,]\d{0,11}$/)
  ),
  mostly(
    FastCheck.oneof(FastCheck.constant("Z"), FastCheck.stringMatching(/^[+-][01]\d:[0-5]\d$/)),
    FastCheck.oneof(
      FastCheck.constantFrom("", "z", "-00:00", "+00:00", "Z0"),
      FastCheck.stringMatching(/^[+-]\d\d:?\d{0,2}$/)
    )
  )
).map((parts) => parts.join(""))

const isoText = instants.map((instant) => new Date(instant).toISOString())

const texts = FastCheck.oneof(
  { weight: 8, arbitrary: assembled },
  { weight: 3, arbitrary: editTexts(isoText) },
  { weight: 1, arbitrary: FastCheck.string() }
)
