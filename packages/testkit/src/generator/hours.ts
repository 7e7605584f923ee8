import { hoursEntryView } from "@trailbook/core/offering"
import type { HoursEntry } from "@trailbook/core/offering/Offering"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as FastCheck from "effect/FastCheck"
import { origin } from "./moment.ts"

const secondsPerDay = 86_400

const makeEntry = (weekday: number, start: number, end: number): HoursEntry => ({
  weekday,
  startTime: LocalTime.make(start),
  endTime: LocalTime.make(end)
})

/**
 * Wall times that are likely to coincide: mostly on the hour or quarter hour, which includes DST transitions and both
 * ends of the day.
 */
const second = FastCheck.oneof(
  { arbitrary: FastCheck.integer({ min: 0, max: 24 }).map((hour) => hour * 3600), weight: 4 },
  { arbitrary: FastCheck.integer({ min: 0, max: 96 }).map((quarter) => quarter * 900), weight: 2 },
  { arbitrary: FastCheck.integer({ min: 0, max: secondsPerDay }), weight: 1 }
)

const entry = FastCheck.tuple(FastCheck.integer({ min: 0, max: 6 }), second, second).filter(([, a, b]) => a !== b).map(
  ([weekday, a, b]) => makeEntry(weekday, Math.min(a, b), Math.max(a, b))
)

const makeDailyEntries = (start: number, end: number) =>
  [0, 1, 2, 3, 4, 5, 6].map((weekday) => makeEntry(weekday, start, end))

/** Adjacent windows that leave no gaps and are the same every day. They merge, even across midnight. */
const adjacentHours = FastCheck.uniqueArray(second, { maxLength: 4 }).map((cuts) => {
  const ends = [0, ...cuts.filter((cut) => cut > 0 && cut < secondsPerDay), secondsPerDay].sort((a, b) => a - b)
  return ends.slice(1).flatMap((end, at) => makeDailyEntries(ends[at] ?? 0, end))
})

const weekly = FastCheck.oneof(
  { arbitrary: FastCheck.array(entry, { maxLength: 12 }), weight: 4 },
  { arbitrary: adjacentHours, weight: 2 },
  { arbitrary: FastCheck.constant(makeDailyEntries(9 * 3600, 17 * 3600)), weight: 2 },
  {
    arbitrary: FastCheck.constant([...makeDailyEntries(22 * 3600, secondsPerDay), ...makeDailyEntries(0, 2 * 3600)]),
    weight: 1
  },
  { arbitrary: FastCheck.constant(makeDailyEntries(0, secondsPerDay)), weight: 1 }
)

/** A date within three days of the generated instants. */
const date = FastCheck.integer({ min: -3, max: 3 }).map((days) =>
  LocalDate.make(Math.floor(origin / (secondsPerDay * 1000)) + days)
)

/** When a window applies: always, in a season, or on a single date. */
const limits = FastCheck.oneof<FastCheck.MaybeWeightedArbitrary<Partial<HoursEntry>>[]>(
  { arbitrary: FastCheck.constant({}), weight: 6 },
  { arbitrary: date.map((validFrom) => ({ validFrom })), weight: 1 },
  { arbitrary: date.map((validUntil) => ({ validUntil })), weight: 1 },
  {
    arbitrary: FastCheck.tuple(date, date).map(([a, b]) =>
      a < b ? { validFrom: a, validUntil: b } : { validFrom: b, validUntil: a }
    ),
    weight: 1
  },
  { arbitrary: date.map((date) => ({ date, weekday: LocalDate.weekday(date) })), weight: 1 }
)

/**
 * Opening hours: none, arbitrary with overlaps, adjacent, a night split at midnight into two entries, or always open.
 * Some entries are limited to a season or a single date.
 */
export const hours: FastCheck.Arbitrary<ReadonlyArray<HoursEntry>> = FastCheck.oneof(
  { arbitrary: weekly, weight: 3 },
  {
    arbitrary: FastCheck.tuple(weekly, FastCheck.array(limits, { maxLength: 14 })).map(([entries, limits]) =>
      entries.map((entry, at) => ({ ...entry, ...limits[at] }))
    ),
    weight: 1
  }
)

/** Opening hours in API format. */
export const hoursInput = hours.map((entries) => entries.map(hoursEntryView))
