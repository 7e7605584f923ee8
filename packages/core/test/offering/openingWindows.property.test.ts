import { listOpeningWindows, mergeWindows, type OpeningWindow } from "@trailbook/core/offering/listOpeningWindows"
import type { HoursEntry } from "@trailbook/core/offering/Offering"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { daily, entry, hours, limitEntries } from "../generators/hours.ts"
import { type Day, day } from "../generators/zone.ts"
import { datesShown, runs, windowsByMinute } from "./minuteByMinute.ts"

/** Half of the weeks have entries for seasons and single dates. */
const week = FastCheck.record({ day, hours }).chain(({ day, hours }) =>
  FastCheck.record({
    day: FastCheck.constant(day),
    hours: FastCheck.oneof(FastCheck.constant(hours), limitEntries(hours, day.date))
  })
)

const windowsOf = ({ date, zone }: Day, hours: ReadonlyArray<HoursEntry>, days = 7): ReadonlyArray<OpeningWindow> =>
  listOpeningWindows(hours, zone, date, LocalDate.addDays(date, days - 1))

const texts = (windows: ReadonlyArray<{ readonly open: number; readonly close: number }>): ReadonlyArray<string> =>
  windows.map(({ close, open }) => `${new Date(open).toISOString()} ${new Date(close).toISOString()}`)

const sort = (texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.toSorted()

const byMinute = ({ date, zone }: Day, hours: ReadonlyArray<HoursEntry>, days: number) => {
  const to = LocalDate.addDays(date, days)
  const dates = datesShown(zone, zone.startOf(date), zone.startOf(to)).filter((one) => one >= date && one < to)
  return windowsByMinute(hours, zone, dates)
}

describe("openingWindows", () => {
  it("merges a date's overlapping entries, but not its adjacent entries", () => {
    FastCheck.assert(
      FastCheck.property(week, ({ day, hours }) => {
        const windowTexts = texts(windowsOf(day, hours))
        expect(sort(windowTexts)).toEqual(sort(texts(byMinute(day, hours, 7))))
        // The windows are sorted by opening, then by closing. The strings sort in the same order as the instants.
        expect(windowTexts).toEqual(sort(windowTexts))
      }),
      { numRuns: 500 }
    )
  })

  it("ignores the order of the entries and any duplicates", () => {
    const shuffled = week.chain(({ day, hours }) =>
      FastCheck.record({
        day: FastCheck.constant(day),
        hours: FastCheck.constant(hours),
        others: FastCheck.shuffledSubarray([...hours, ...hours], { minLength: hours.length * 2 })
      })
    )
    FastCheck.assert(
      FastCheck.property(shuffled, ({ day, hours, others }) => {
        expect(windowsOf(day, others)).toEqual(windowsOf(day, hours))
      }),
      { numRuns: 500 }
    )
  })

  it("returns no empty windows, and overlapping ones only around clock changes", () => {
    FastCheck.assert(
      FastCheck.property(week, ({ day: { date, zone }, hours }) => {
        const of = windowsOf({ zone, date }, hours, 1)
        // Start before the date's first instant, because a DST change at midnight has already happened by that instant.
        const before = Instant.addMinutes(zone.startOf(date), -1)
        const steady = zone.offsetAt(before) === zone.offsetAt(zone.startOf(LocalDate.addDays(date, 2)))
        for (const [at, { close, open }] of of.entries()) {
          expect(open).toBeLessThan(close)
          if (steady) expect(open).toBeGreaterThanOrEqual(of[at - 1]?.close ?? open)
        }
      }),
      { numRuns: 500 }
    )
  })

  it("returns the same windows for several dates as for each date separately", () => {
    FastCheck.assert(
      FastCheck.property(week, ({ day, hours }) => {
        const each = [0, 1, 2, 3, 4, 5, 6].flatMap((n) =>
          windowsOf({ zone: day.zone, date: LocalDate.addDays(day.date, n) }, hours, 1)
        )
        expect(sort(texts(windowsOf(day, hours)))).toEqual(sort(texts(each)))
      }),
      { numRuns: 200 }
    )
  })

  it("returns no windows for a skipped date", () => {
    const zone = Zone.get("Pacific/Apia")
    const skippedDate = LocalDate.make(Date.UTC(2011, 11, 30) / 86_400_000)
    FastCheck.assert(
      FastCheck.property(hours, (hours) => {
        expect(windowsOf({ zone, date: skippedDate }, hours, 1)).toEqual([])
      })
    )
    const around = windowsOf({ zone, date: LocalDate.addDays(skippedDate, -1) }, daily(0, 86_400), 3)
    expect(around).toHaveLength(2)
    expect(around[0]?.close).toBe(around[1]?.open)
  })

  it("uses a date's own hours instead of its weekly hours", () => {
    FastCheck.assert(
      FastCheck.property(week, FastCheck.integer({ min: 0, max: 6 }), hours, ({ day, hours }, n, ownHours) => {
        const date = LocalDate.addDays(day.date, n)
        const single = ownHours.map((entry) => ({ ...entry, weekday: LocalDate.weekday(date), date }))
        const all = [...hours.filter((entry) => entry.date !== date), ...single]
        for (const other of [-1, 0, 1].map((days) => LocalDate.addDays(date, days))) {
          const expected = other === date && single.length > 0
            ? single.map(({ endTime, startTime, weekday }) => ({ weekday, startTime, endTime }))
            : hours.filter((entry) => entry.date !== date)
          expect(windowsOf({ zone: day.zone, date: other }, all, 1))
            .toEqual(windowsOf({ zone: day.zone, date: other }, expected, 1))
        }
      }),
      { numRuns: 200 }
    )
  })

  it("opens a season from its first date through its last date", () => {
    FastCheck.assert(
      FastCheck.property(
        week,
        FastCheck.integer({ min: -3, max: 9 }),
        FastCheck.nat(6),
        ({ day, hours }, n, length) => {
          const validFrom = LocalDate.addDays(day.date, n)
          const validUntil = LocalDate.addDays(validFrom, length)
          const weekly = hours.map(({ endTime, startTime, weekday }) => ({ weekday, startTime, endTime }))
          const season = weekly.map((entry) => ({ ...entry, validFrom, validUntil }))
          for (let date = day.date; date < LocalDate.addDays(day.date, 7); date = LocalDate.addDays(date, 1)) {
            expect(windowsOf({ zone: day.zone, date }, season, 1))
              .toEqual(date < validFrom || date > validUntil ? [] : windowsOf({ zone: day.zone, date }, weekly, 1))
          }
        }
      ),
      { numRuns: 200 }
    )
  })

  it("treats 24:00 as the next midnight, even if the clock skips it", () => {
    // Havana's clocks go from 00:00 to 01:00 on 2027-03-14.
    const zone = Zone.get("America/Havana")
    const date = LocalDate.make(Date.UTC(2027, 2, 13) / 86_400_000)
    const [saturday, sunday] = windowsOf({ zone, date }, [entry(6, 79_200, 86_400), entry(0, 0, 7200)], 2)
    expect(texts([saturday!, sunday!])).toEqual([
      "2027-03-14T03:00:00.000Z 2027-03-14T05:00:00.000Z",
      "2027-03-14T05:00:00.000Z 2027-03-14T06:00:00.000Z"
    ])
  })
})

describe("mergeWindows", () => {
  it("returns the union of the windows", () => {
    FastCheck.assert(
      FastCheck.property(week, ({ day, hours }) => {
        const open = windowsOf(day, hours)
        const [from, to] = [Math.min(...open.map(({ open }) => open)), Math.max(...open.map(({ close }) => close))]
        expect(texts(mergeWindows(open))).toEqual(open.length === 0 ? [] : texts(runs(open, from, to)))
      }),
      { numRuns: 500 }
    )
  })

  it("leaves merged windows unchanged", () => {
    FastCheck.assert(
      FastCheck.property(week, ({ day, hours }) => {
        const once = mergeWindows(windowsOf(day, hours))
        expect(mergeWindows(once)).toEqual(once)
      })
    )
  })
})
