import type { HoursEntry } from "@trailbook/core/offering/Offering"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as FastCheck from "effect/FastCheck"

const secondsPerDay = 86_400

export const entry = (weekday: number, start: number, end: number): HoursEntry => ({
  weekday,
  startTime: LocalTime.make(start),
  endTime: LocalTime.make(end)
})

export const daily = (start: number, end: number): ReadonlyArray<HoursEntry> =>
  [0, 1, 2, 3, 4, 5, 6].map((weekday) => entry(weekday, start, end))

const steps = (seconds: number, until: number) =>
  FastCheck.integer({ min: 0, max: until / seconds }).map((step) => step * seconds)

/** Wall times that are likely to coincide, and the hours of DST changes, in whole minutes. */
const minutes = FastCheck.oneof(
  { weight: 4, arbitrary: steps(3600, secondsPerDay) },
  { weight: 2, arbitrary: steps(900, 4 * 3600) },
  { weight: 1, arbitrary: steps(900, secondsPerDay) },
  { weight: 1, arbitrary: steps(60, secondsPerDay) }
)

/** The same wall times, and wall times at half minutes. */
const halfMinutes = FastCheck.oneof(minutes, steps(30, secondsPerDay))

const hoursOf = (times: FastCheck.Arbitrary<number>): FastCheck.Arbitrary<ReadonlyArray<HoursEntry>> => {
  const days = FastCheck.oneof(
    FastCheck.constant([0, 1, 2, 3, 4, 5, 6]),
    FastCheck.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 })
  )
  const any = FastCheck.array(
    FastCheck.tuple(days, times, times).filter(([, a, b]) => a !== b).map(([days, a, b]) =>
      days.map((day) => entry(day, Math.min(a, b), Math.max(a, b)))
    ),
    { minLength: 1, maxLength: 5 }
  ).map((entries) => entries.flat())
  // Adjacent windows without gaps on every day. They merge, even across midnight.
  const touching = FastCheck.uniqueArray(times, { maxLength: 4 }).map((cuts) => {
    const ends = [...new Set([0, ...cuts, secondsPerDay])].sort((a, b) => a - b)
    return ends.slice(1).flatMap((end, at) => daily(ends[at] ?? 0, end))
  })
  // The hours when most DST changes occur, in windows so short that clock changes skip or repeat some of them.
  const early = FastCheck.uniqueArray(steps(900, 4 * 3600), { minLength: 3, maxLength: 8 }).map((cuts) => {
    const ends = cuts.sort((a, b) => a - b)
    return ends.slice(1).flatMap((end, at) => daily(ends[at] ?? 0, end))
  })
  const overMidnight = FastCheck.tuple(times, times).filter(([from, to]) => from < secondsPerDay && to > 0).map((
    [from, to]
  ) => [...daily(from, secondsPerDay), ...daily(0, to)])
  const containing = FastCheck.uniqueArray(times, { minLength: 4, maxLength: 4 }).map((four) => {
    const [a = 0, b = 0, c = 0, d = 0] = four.sort((a, b) => a - b)
    return [...daily(b, c), ...daily(a, d)]
  })
  return FastCheck.oneof(
    { weight: 5, arbitrary: any },
    { weight: 3, arbitrary: touching },
    { weight: 2, arbitrary: early },
    { weight: 2, arbitrary: overMidnight },
    { weight: 1, arbitrary: containing },
    { weight: 1, arbitrary: FastCheck.constant(daily(0, secondsPerDay)) },
    { weight: 1, arbitrary: FastCheck.constant(daily(9 * 3600, 17 * 3600)) }
  )
}

/**
 * Weekly hours in whole minutes: arbitrary windows (overlapping, nested, in skipped hours), adjacent windows, a night
 * across midnight in two entries, or always open.
 */
export const hours: FastCheck.Arbitrary<ReadonlyArray<HoursEntry>> = hoursOf(minutes)

/** The same hours, with half minutes. */
export const hoursWithSeconds: FastCheck.Arbitrary<ReadonlyArray<HoursEntry>> = hoursOf(halfMinutes)

/** Limits some of the entries to a season or to a single date within a few days of `around`. */
export const limitEntries = (
  entries: ReadonlyArray<HoursEntry>,
  around: LocalDate.LocalDate
): FastCheck.Arbitrary<ReadonlyArray<HoursEntry>> => {
  const date = FastCheck.integer({ min: -4, max: 6 }).map((days) => LocalDate.addDays(around, days))
  const limit = FastCheck.oneof<FastCheck.MaybeWeightedArbitrary<Partial<HoursEntry>>[]>(
    { weight: 3, arbitrary: FastCheck.constant({}) },
    { weight: 1, arbitrary: date.map((validFrom) => ({ validFrom })) },
    { weight: 1, arbitrary: date.map((validUntil) => ({ validUntil })) },
    {
      weight: 1,
      arbitrary: FastCheck.tuple(date, FastCheck.nat(5)).map(([validFrom, days]) => ({
        validFrom,
        validUntil: LocalDate.addDays(validFrom, days)
      }))
    },
    { weight: 1, arbitrary: date.map((date) => ({ date, weekday: LocalDate.weekday(date) })) }
  )
  return FastCheck.array(limit, { minLength: entries.length, maxLength: entries.length }).map((limits) =>
    entries.map((entry, at) => ({ ...entry, ...limits[at] }))
  )
}
