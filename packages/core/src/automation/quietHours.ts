/**
 * Quiet hours: from one hour of the clock on the wall to another, by the outfitter's
 * zone, over midnight where the first is the later one; from an hour to the same hour
 * is never quiet. The clock on the wall decides, so where clocks change the window is
 * an hour longer or shorter, as the night is.
 */
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import type { Zone } from "../time/Zone.ts"

/**
 * @category models
 */
export interface QuietHours {
  /** 0 to 23; null where there are none. */
  readonly quietFrom: number | null
  readonly quietTo: number | null
}

const hourMs = 3_600_000

/**
 * @category predicates
 */
export const isQuiet = ({ quietFrom, quietTo }: QuietHours, zone: Zone, instant: Instant.Instant): boolean => {
  if (quietFrom === null || quietTo === null) return false
  const hour = zone.wallAt(instant).millisOfDay / hourMs
  return quietFrom <= quietTo ? hour >= quietFrom && hour < quietTo : hour >= quietFrom || hour < quietTo
}

/**
 * The first moment from this one on that is not quiet: itself, where it is not.
 *
 * @category calculating
 */
export const quietHoursEnd = (hours: QuietHours, zone: Zone, instant: Instant.Instant): Instant.Instant => {
  if (hours.quietTo === null || !isQuiet(hours, zone, instant)) return instant
  const today = zone.dateAt(instant)
  // Where clocks go back over the end of the window, the hour is quiet once more: each of these is asked.
  for (let days = 0; days <= 2; days++) {
    const end = zone.instantAt(LocalDate.addDays(today, days), hours.quietTo * 3600)
    for (const at of [end, Instant.make(end + hourMs), Instant.make(end + 2 * hourMs)]) {
      if (at > instant && !isQuiet(hours, zone, at)) return at
    }
  }
  // A date that the zone jumped over lies in between.
  return Instant.addMinutes(instant, 24 * 60)
}
