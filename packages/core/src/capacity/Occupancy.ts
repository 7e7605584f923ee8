/**
 * Occupancy over time. A live booking claims `weight` during the half-open interval `[from, until)`, which includes the
 * buffer. Capacity checks use the peak of concurrent weight instead of the sum, because consecutive bookings can use
 * the same unit of capacity.
 */

export interface CapacityClaim {
  /** The start in epoch milliseconds, inclusive. */
  readonly from: number
  /** The end in epoch milliseconds, exclusive, including the buffer. */
  readonly until: number
  /**
   * The claimed capacity: 1 for an appointment, or the quantity for a rental. Claims with equal intervals can be
   * combined by adding their weights.
   */
  readonly weight: number
}

/** The claimed weight as a step function. `levels[i]` applies from `times[i]` until `times[i + 1]`. */
export interface Occupancy {
  readonly times: ReadonlyArray<number>
  readonly levels: ReadonlyArray<number>
}

export const make = (claims: ReadonlyArray<CapacityClaim>): Occupancy => {
  const nonEmptyClaims = claims.filter(({ from, until }) => from < until)
  // Claims are sorted by start and nearly sorted by end, so sorting again is cheap.
  const byStart = nonEmptyClaims.toSorted((a, b) => a.from - b.from)
  const byEnd = nonEmptyClaims.toSorted((a, b) => a.until - b.until)
  const times: Array<number> = []
  const levels: Array<number> = []
  let level = 0
  let startIndex = 0
  for (let endIndex = 0; endIndex < byEnd.length;) {
    const at = Math.min(byStart[startIndex]?.from ?? Infinity, byEnd[endIndex]?.until ?? Infinity)
    // All changes at the same instant form one step, because a booking that ends at noon makes room for one that starts
    // at noon.
    for (; byStart[startIndex]?.from === at; startIndex++) level += byStart[startIndex]?.weight ?? 0
    for (; byEnd[endIndex]?.until === at; endIndex++) level -= byEnd[endIndex]?.weight ?? 0
    times.push(at)
    levels.push(level)
  }
  return { times, levels }
}

/** Returns the maximum weight at any instant in `[from, until)`. */
export const computePeakWeight = ({ levels, times }: Occupancy, from: number, until: number): number => {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? Infinity) <= from) low = middle + 1
    else high = middle
  }
  let peak = from < until ? levels[low - 1] ?? 0 : 0
  for (let at = low; at < times.length && (times[at] ?? Infinity) < until; at++) peak = Math.max(peak, levels[at] ?? 0)
  return peak
}
