import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import { expect, it } from "vitest"
import { sample } from "../../../../test/runs.ts"
import * as temporal from "./temporal.ts"
import { zones } from "./zones.ts"

// Covers every week that contains a DST change, instead of random instants. A short run covers a quarter of these
// weeks, which the seed selects. The test tries a different minute in each half hour, and every other minute in the
// five hours around the change.

const [halfHour, day] = [1_800_000, 86_400_000]

const changes: ReadonlyArray<readonly [zone: string, change: number]> = [
  ...zones.flatMap((zone) =>
    temporal.changes(zone, Date.UTC(2026, 0), Date.UTC(2028, 0)).map((change) => [zone, change] as const)
  ),
  // Kinds of changes that no zone has in these two years.
  ["Pacific/Apia", Date.UTC(2011, 11, 30, 10)], // skips December 30
  ["Pacific/Kwajalein", Date.UTC(1993, 7, 21, 12)], // skips August 21
  ["Pacific/Kiritimati", Date.UTC(1994, 11, 31, 10)], // skips December 31
  ["Africa/Monrovia", Date.UTC(1972, 0, 7, 0, 44, 30)], // had an offset with seconds until then
  ["America/Recife", Date.UTC(2000, 9, 8, 3)], // undone 1 hour less than 7 days later
  ["America/Sao_Paulo", Date.UTC(2018, 10, 4, 3)], // skips midnight
  ["America/Toronto", Date.UTC(1919, 2, 31, 4, 30)], // forward from 23:30 to 00:30, across midnight
  ["America/St_Johns", Date.UTC(2010, 10, 7, 2, 31)], // back from 00:01 to 23:01 on the previous day
  ["America/Caracas", Date.UTC(2007, 11, 9, 7)], // back half an hour for several years
  ["Asia/Pyongyang", Date.UTC(2018, 4, 4, 15)], // forward half an hour, at midnight
  ["Antarctica/Casey", Date.UTC(2010, 2, 4, 15)] // back three hours
]

const near = (change: number): ReadonlyArray<number> => {
  const moments: Array<number> = []
  for (let index = -168; index <= 168; index++) {
    const moment = change + index * halfHour
    moments.push(moment, moment + (((index * 7) % 30) + 0.5) * 60_000)
  }
  for (let minute = -150; minute <= 150; minute += 2) moments.push(change + minute * 60_000)
  moments.push(change - 1, change + 1)
  return moments
}

it("lists only actual clock changes", () => {
  expect(changes.length).toBeGreaterThan(150)
  const unchanged = changes.filter(([name, change]) => {
    const zone = Zone.get(name)
    return zone.offsetAt(Instant.make(change)) === zone.offsetAt(Instant.make(change - 1))
  })
  expect(unchanged).toEqual([])
})

it("converts instants to wall times like Temporal in the week of a clock change", () => {
  const wrong = inAllWeeks(near, (name, moment) => {
    const { date, millisOfDay } = Zone.get(name).wallAt(Instant.make(moment))
    return [date * day + millisOfDay, temporal.wallAt(name, moment)]
  })
  expect(wrong).toEqual([])
})

it("converts wall times to instants like Temporal in the week of a clock change", () => {
  const wallTimes = (change: number, before: number) =>
    // The wall times are whole seconds, like offsets and opening hours.
    near(change).map((moment) => Math.floor((moment + before) / 1000) * 1000)
  const wrong = inAllWeeks(wallTimes, (name, wall) => {
    const date = LocalDate.make(Math.floor(wall / day))
    return [Zone.get(name).instantAt(date, (wall - date * day) / 1000), temporal.instantOf(name, wall)]
  })
  expect(wrong).toEqual([])
})

it("computes the start of a date like Temporal in the week of a clock change", () => {
  const dates = (change: number, before: number) =>
    Array.from({ length: 9 }, (_, index) => Math.floor((change + before) / day) + index - 4)
  const wrong = inAllWeeks(dates, (name, date) => [
    Zone.get(name).startOf(LocalDate.make(date)),
    temporal.startOf(name, date)
  ])
  expect(wrong).toEqual([])
})

it("adds days across a clock change like Temporal", () => {
  const wrong = inAllWeeks(near, (name, moment) => {
    const days = (Math.floor(moment / 60_000) % 13) - 6
    return [Zone.addLocalDays(Zone.get(name), Instant.make(moment), days), temporal.addDays(name, moment, days)]
  })
  expect(wrong).toEqual([])
})

it.each([
  ["Pacific/Apia", "2011-12-30"],
  ["Pacific/Fakaofo", "2011-12-30"],
  ["Pacific/Kwajalein", "1993-08-21"],
  ["Pacific/Kiritimati", "1994-12-31"]
])("treats a date as empty if the time zone skipped it: %s, %s", (name, text) => {
  const zone = Zone.get(name)
  const date = LocalDate.parse(text)!
  expect(zone.startOf(date)).toBe(zone.startOf(LocalDate.addDays(date, 1)))
  expect(zone.dateAt(zone.startOf(date))).toBe(date + 1)
})

/**
 * Lists differences, one line per change. Calling `expect` for each of 100,000 comparisons would cost more than
 * Temporal itself.
 */
const inAllWeeks = (
  values: (change: number, offsetBefore: number) => ReadonlyArray<number>,
  compared: (zone: string, value: number) => readonly [actual: number, expected: number]
): ReadonlyArray<string> =>
  sample(changes, 4).flatMap(([zone, change]) => {
    const offsetBefore = temporal.wallAt(zone, change - 1) - (change - 1)
    for (const value of values(change, offsetBefore)) {
      const [actual, expected] = compared(zone, value)
      if (actual !== expected) return [`${zone} ${value}: ${actual}, not ${expected}`]
    }
    return []
  })
