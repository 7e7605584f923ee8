/**
 * Times as the outfitter's clocks show them, always with the zone's name: the
 * guest may still be at home, hours away.
 *
 * @since 0.1.0
 */
import type { Span } from "../offering/slots.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * `Sat, Jun 6, 2026, 9:00 AM MDT`
 *
 * @since 0.1.0
 * @category formatting
 */
export const localTime = (instant: Instant, timezone: string): string => {
  const { date, time, zone } = shown(instant, timezone)
  return `${date}, ${time} ${zone}`
}

/**
 * `Sat, Jun 6, 2026, 9:00 AM – 12:00 PM MDT`, or with both dates when it ends on
 * another one. Where the clocks change in between, both times have their zone.
 *
 * @since 0.1.0
 * @category formatting
 */
export const localSpan = ({ endsAt, startsAt }: Span, timezone: string): string => {
  const start = shown(startsAt, timezone)
  const end = shown(endsAt, timezone)
  const from = `${start.date}, ${start.time}${start.zone === end.zone ? "" : ` ${start.zone}`}`
  const until = `${start.date === end.date ? "" : `${end.date}, `}${end.time} ${end.zone}`
  return `${from} – ${until}`
}

// Put together from parts, because the whole has other blanks and commas from one release of ICU to the next.
const shown = (instant: Instant, timeZone: string) => {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of new Intl.DateTimeFormat("en-US", { ...options, timeZone }).formatToParts(instant)) {
    parts[type] = value
  }
  return {
    date: `${parts.weekday}, ${parts.month} ${parts.day}, ${parts.year}`,
    time: `${parts.hour}:${parts.minute} ${parts.dayPeriod}`,
    zone: `${parts.timeZoneName}`
  }
}

const options: Intl.DateTimeFormatOptions = {
  weekday: "short",
  month: "short",
  day: "numeric",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short"
}
