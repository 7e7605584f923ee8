/**
 * Quiet hours: a daily range of hours in the time zone of the outfitter. The range crosses midnight if the first hour
 * is the later one, and is empty if both are equal. It uses wall time, so when clocks change it is an hour longer or
 * shorter.
 */
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import type { Zone } from "../time/Zone.ts"

export interface QuietHours {
  /** 0 to 23, or null without quiet hours. */
  readonly quietFrom: number | null
  readonly quietTo: number | null
}

const hourMs = 3_600_000

export const isQuiet = ({ quietFrom, quietTo }: QuietHours, zone: Zone, instant: Instant.Instant): boolean => {
  if (quietFrom === null || quietTo === null) return false
  const hour = zone.wallAt(instant).millisOfDay / hourMs
  return quietFrom <= quietTo ? hour >= quietFrom && hour < quietTo : hour >= quietFrom || hour < quietTo
}

/** The first instant that is not quiet, starting with the given one. */
export const quietHoursEnd = (hours: QuietHours, zone: Zone, instant: Instant.Instant): Instant.Instant => {
  if (hours.quietTo === null || !isQuiet(hours, zone, instant)) return instant
  const today = zone.dateAt(instant)
  // If clocks go back over the end of the range, the last hour is quiet twice, so several candidates are checked.
  for (let days = 0; days <= 2; days++) {
    const end = zone.instantAt(LocalDate.addDays(today, days), hours.quietTo * 3600)
    for (const at of [end, Instant.make(end + hourMs), Instant.make(end + 2 * hourMs)]) {
      if (at > instant && !isQuiet(hours, zone, at)) return at
    }
  }
  // The time zone skipped a date.
  return Instant.addMinutes(instant, 24 * 60)
}
