import type { HoursEntry } from "@trailbook/core/offering/Offering"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as FastCheck from "effect/FastCheck"

const secondsPerDay = 86_400

const entryOf = (weekday: number, start: number, end: number): HoursEntry => ({
  weekday,
  startTime: LocalTime.make(start),
  endTime: LocalTime.make(end)
})

/** Wall times that are likely to meet: full hours, DST transitions, and the ends of the day. */
const second = FastCheck.oneof(
  { arbitrary: FastCheck.integer({ min: 0, max: 24 }).map((hour) => hour * 3600), weight: 4 },
  { arbitrary: FastCheck.integer({ min: 0, max: 96 }).map((quarter) => quarter * 900), weight: 2 },
  { arbitrary: FastCheck.integer({ min: 0, max: secondsPerDay }), weight: 1 }
)

const entry = FastCheck.tuple(FastCheck.integer({ min: 0, max: 6 }), second, second).filter(([, a, b]) => a !== b).map(
  ([weekday, a, b]) => entryOf(weekday, Math.min(a, b), Math.max(a, b))
)

const everyDay = (start: number, end: number) => [0, 1, 2, 3, 4, 5, 6].map((weekday) => entryOf(weekday, start, end))

/** Adjacent windows without gaps on every day. They merge, also across midnight. */
const touching = FastCheck.uniqueArray(second, { maxLength: 4 }).map((cuts) => {
  const ends = [0, ...cuts.filter((cut) => cut > 0 && cut < secondsPerDay), secondsPerDay].sort((a, b) => a - b)
  return ends.slice(1).flatMap((end, at) => everyDay(ends[at] ?? 0, end))
})

/**
 * Weekly hours: none, arbitrary (with overlaps), adjacent windows, a night across midnight in two entries, or always
 * open.
 */
export const hours: FastCheck.Arbitrary<ReadonlyArray<HoursEntry>> = FastCheck.oneof(
  { arbitrary: FastCheck.array(entry, { maxLength: 12 }), weight: 4 },
  { arbitrary: touching, weight: 2 },
  { arbitrary: FastCheck.constant(everyDay(9 * 3600, 17 * 3600)), weight: 2 },
  { arbitrary: FastCheck.constant([...everyDay(22 * 3600, secondsPerDay), ...everyDay(0, 2 * 3600)]), weight: 1 },
  { arbitrary: FastCheck.constant(everyDay(0, secondsPerDay)), weight: 1 }
)

/** The same in API format. */
export const hoursInput = hours.map((entries) =>
  entries.map(({ endTime, startTime, weekday }) => ({
    weekday,
    start_time: LocalTime.format(startTime),
    end_time: LocalTime.format(endTime)
  }))
)
