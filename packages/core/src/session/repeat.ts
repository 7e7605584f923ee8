/**
 * Weekly repeats (decision 1.5): every seven local calendar days, to the same
 * wall time, whatever the clocks do in between.
 *
 * @since 0.1.0
 */
import type { Instant } from "../time/Instant.ts"
import { addLocalDays, type Zone } from "../time/Zone.ts"

/**
 * `weeks` starts in all, the first one included.
 *
 * @since 0.1.0
 * @category calculating
 */
export const repeat = (zone: Zone, startsAt: Instant, weeks: number): ReadonlyArray<Instant> =>
  Array.from({ length: weeks }, (_, week) => week === 0 ? startsAt : addLocalDays(zone, startsAt, week * 7))
