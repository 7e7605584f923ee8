/**
 * Quiet hours are a daily range of hours in the outfitter's time zone. The range crosses midnight if it starts later
 * than it ends, and it is empty if both hours are equal. It uses wall time, so it is an hour longer or shorter when the
 * clocks change.
 */
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import type { Zone } from "../time/Zone.ts"

export interface QuietHours {
  /** The first quiet hour, from 0 to 23. Null if there are no quiet hours. */
  readonly quietFrom: number | null
  readonly quietTo: number | null
}

const hourMs = 3_600_000

export const isQuiet = ({ quietFrom, quietTo }: QuietHours, zone: Zone, instant: Instant.Instant): boolean => {
  if (quietFrom === null || quietTo === null) return false
  const hour = zone.wallAt(instant).millisOfDay / hourMs
  return quietFrom <= quietTo ? hour >= quietFrom && hour < quietTo : hour >= quietFrom || hour < quietTo
}

/** Returns the first instant at or after `instant` that is outside quiet hours. */
export const quietHoursEnd = (hours: QuietHours, zone: Zone, instant: Instant.Instant): Instant.Instant => {
  if (hours.quietTo === null || !isQuiet(hours, zone, instant)) return instant
  const today = zone.dateAt(instant)
  // If the clocks go back across the end of the range, the last quiet hour occurs twice, so check several candidates.
  for (let days = 0; days <= 2; days++) {
    const end = zone.instantAt(LocalDate.addDays(today, days), hours.quietTo * 3600)
    for (const at of [end, Instant.make(end + hourMs), Instant.make(end + 2 * hourMs)]) {
      if (at > instant && !isQuiet(hours, zone, at)) return at
    }
  }
  // The time zone skipped a date, so no candidate fits.
  return Instant.addMinutes(instant, 24 * 60)
}
