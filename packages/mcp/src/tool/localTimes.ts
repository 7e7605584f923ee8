/**
 * The times of an answer as the outfitter's clocks show them, in one line. Data
 * is in UTC, and models get a zone wrong by hours or a day when they convert by
 * themselves.
 *
 * @since 0.1.0
 */
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type * as Zone from "@trailbook/core/time/Zone"

/**
 * `Sun 2027-05-02 09:00`.
 *
 * @since 0.1.0
 * @category formatting
 */
export const localTime = (zone: Zone.Zone, instant: Instant.Instant): string => {
  const { date, time } = shown(zone, instant)
  return `${date} ${time}`
}

/**
 * `Sun 2027-05-02`.
 *
 * @since 0.1.0
 * @category formatting
 */
export const localDay = (date: LocalDate.LocalDate): string =>
  `${weekdays[LocalDate.weekday(date)]} ${LocalDate.format(date)}`

/**
 * Whether an answer has starts that want a line.
 *
 * @since 0.1.0
 * @category predicates
 */
export const hasStarts = (output: unknown): boolean => startsOf(output).length > 0

/**
 * The line: the zone, the moment now, and every different start in the order of
 * the answer.
 *
 * @since 0.1.0
 * @category formatting
 */
export const localTimes = (output: unknown, zone: Zone.Zone, now: Instant.Instant): string => {
  const starts = [...new Set(startsOf(output))]
  const days: Array<{ readonly date: string; readonly times: Array<string> }> = []
  for (const start of starts.slice(0, maxStarts)) {
    const instant = Instant.parse(start)
    if (instant === undefined) continue
    const { date, time } = shown(zone, instant)
    const last = days.at(-1)
    if (last?.date === date) last.times.push(time)
    else days.push({ date, times: [time] })
  }
  const list = days.map(({ date, times }) => `${date} ${times.join(", ")}`).join("; ")
  const more = starts.length > maxStarts ? `; and ${starts.length - maxStarts} more` : ""
  return `In ${zone.name}, where it is now ${localTime(zone, now)}, this starts: ${list}${more}.`
}

/** Enough for two weeks of a busy offering, and still a line. */
const maxStarts = 80

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

const shown = (zone: Zone.Zone, instant: Instant.Instant) => {
  const { date, millisOfDay } = zone.wallAt(instant)
  const minutes = Math.floor(millisOfDay / 60_000)
  const two = (n: number) => String(n).padStart(2, "0")
  return { date: localDay(date), time: `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}` }
}

/** The starts of the resource itself, of a list's items, and of a guest's bookings. */
const startsOf = (output: unknown): ReadonlyArray<string> => {
  if (typeof output !== "object" || output === null) return []
  const own = "starts_at" in output && typeof output.starts_at === "string" ? [output.starts_at] : []
  const lists = ["data", "bookings"].flatMap((name) => {
    const list: unknown = Reflect.get(output, name)
    return Array.isArray(list) ? list.flatMap((item) => startsOf(item)) : []
  })
  return [...own, ...lists]
}
