import type { Instant } from "../../time/Instant.ts"

/** Formats an instant in a time zone, such as `Sat, Jun 6 at 9:00 AM`. */
export const formatStartTime = (instant: Instant, timeZone: string): string => {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  // Assemble the text from parts, because the spaces and commas in the complete format differ between ICU releases.
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) parts[type] = value
  return `${parts.weekday}, ${parts.month} ${parts.day} at ${parts.hour}:${parts.minute} ${parts.dayPeriod}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const cachedFormat = formats.get(timeZone)
  if (cachedFormat !== undefined) return cachedFormat
  if (formats.size >= 64) formats.clear()
  const format = new Intl.DateTimeFormat("en-US", {
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone
  })
  formats.set(timeZone, format)
  return format
}
