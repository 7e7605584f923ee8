import type { Span } from "../offering/listSlots.ts"
import type { Instant } from "../time/Instant.ts"
import type { Language } from "../wire/Language.ts"

/** Formats times in a time zone, always with the zone's name, because the guest may be in another time zone. */
export interface LocalTimeFormat {
  /** `Sat, Jun 6, 2026` */
  readonly day: (instant: Instant) => string
  /** `Sat, Jun 6`, in English */
  readonly shortDay: (instant: Instant) => string
  /** `9:00 AM` */
  readonly hour: (instant: Instant) => string
  /** `Sat, Jun 6, 2026, 9:00 AM MDT` */
  readonly time: (instant: Instant) => string
  /**
   * `Sat, Jun 6, 2026, 9:00 AM – 12:00 PM MDT`, or with both dates if the span ends on another date. If the clocks
   * change in between, both times show their zone.
   */
  readonly span: (span: Pick<Span, "startsAt" | "endsAt">) => string
}

/**
 * Returns the time format for an IANA time zone. Creating a format takes about 200 µs and using one takes 8 µs, so
 * recent formats are cached.
 */
export const makeLocalTimeFormat = (timeZone: string, language: Language = "en"): LocalTimeFormat => {
  const name = `${language} ${timeZone}`
  const cachedFormat = formats.get(name)
  if (cachedFormat !== undefined) return cachedFormat
  // There are usually only a few zones, and if there are many, recreating a format occasionally is cheap enough.
  if (formats.size >= 64) formats.clear()
  const format = makeFormat(timeZone, language)
  formats.set(name, format)
  return format
}

const formats = new Map<string, LocalTimeFormat>()

const makeFormat = (timeZone: string, language: Language): LocalTimeFormat => {
  const format = new Intl.DateTimeFormat(language === "en" ? "en-US" : "es-US", { ...formatOptions, timeZone })
  const render = language === "en" ? renderEnglish : renderSpanish
  return {
    day: (instant) => render(format, instant).date,
    shortDay: (instant) => {
      const { day, month, weekday } = getParts(format, instant)
      return `${weekday}, ${month} ${day}`
    },
    hour: (instant) => render(format, instant).time,
    time: (instant) => {
      const { date, time, zone } = render(format, instant)
      return `${date}, ${time} ${zone}`
    },
    span: ({ endsAt, startsAt }) => {
      const start = render(format, startsAt)
      const end = render(format, endsAt)
      const from = `${start.date}, ${start.time}${start.zone === end.zone ? "" : ` ${start.zone}`}`
      const until = `${start.date === end.date ? "" : `${end.date}, `}${end.time} ${end.zone}`
      return `${from} – ${until}`
    }
  }
}

const formatOptions: Intl.DateTimeFormatOptions = {
  weekday: "short",
  month: "short",
  day: "numeric",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short"
}

// Returns the parts of a time, because the spaces and commas in the complete format differ between ICU releases.
const getParts = (format: Intl.DateTimeFormat, instant: Instant) => {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of format.formatToParts(instant)) parts[type] = value
  return parts
}

const renderSpanish = (format: Intl.DateTimeFormat, instant: Instant) => {
  const parts = getParts(format, instant)
  return {
    date: `${parts.weekday}, ${parts.day} ${parts.month} ${parts.year}`,
    time: `${parts.hour}:${parts.minute} ${parts.dayPeriod}`,
    zone: `${parts.timeZoneName}`
  }
}

const renderEnglish = (format: Intl.DateTimeFormat, instant: Instant) => {
  const parts = getParts(format, instant)
  return {
    date: `${parts.weekday}, ${parts.month} ${parts.day}, ${parts.year}`,
    time: `${parts.hour}:${parts.minute} ${parts.dayPeriod}`,
    zone: `${parts.timeZoneName}`
  }
}
