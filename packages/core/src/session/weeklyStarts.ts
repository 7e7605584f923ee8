/**
 * Computes weekly repeats, which are 7 local calendar days apart at the same wall time, regardless of clock changes.
 */
import type { Instant } from "../time/Instant.ts"
import { addLocalDays, type Zone } from "../time/Zone.ts"

/** Returns `weeks` starts, including the first start. */
export const weeklyStarts = (zone: Zone, startsAt: Instant, weeks: number): ReadonlyArray<Instant> =>
  Array.from({ length: weeks }, (_, week) => week === 0 ? startsAt : addLocalDays(zone, startsAt, week * 7))
