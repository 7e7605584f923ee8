/**
 * Weekly repeats: every seven local calendar days, to the same
 * wall time, whatever the clocks do in between.
 */
import type { Instant } from "../time/Instant.ts"
import { addLocalDays, type Zone } from "../time/Zone.ts"

/** `weeks` starts in all, the first one included. */
export const weeklyStarts = (zone: Zone, startsAt: Instant, weeks: number): ReadonlyArray<Instant> =>
  Array.from({ length: weeks }, (_, week) => week === 0 ? startsAt : addLocalDays(zone, startsAt, week * 7))
