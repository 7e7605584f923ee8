/**
 * What is kept at each instant (decision 2). A claim is what a live booking
 * keeps: `weight` places for the half-open interval `[from, until)`, the buffer
 * after it included. What counts is the peak of concurrent weight, never the
 * sum: two bookings after one another need one place.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 * @category models
 */
export interface Claim {
  /** Epoch milliseconds, included. */
  readonly from: number
  /** Epoch milliseconds, excluded; the buffer is in it. */
  readonly until: number
  /** Appointment 1, rental its quantity; equal intervals may be added up. */
  readonly weight: number
}

/**
 * The weight kept over time, as steps: `levels[i]` from `times[i]` until `times[i + 1]`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Occupancy {
  readonly times: ReadonlyArray<number>
  readonly levels: ReadonlyArray<number>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (claims: ReadonlyArray<Claim>): Occupancy => {
  const edges: Array<readonly [at: number, change: number]> = []
  for (const { from, until, weight } of claims) {
    if (from < until) edges.push([from, weight], [until, -weight])
  }
  edges.sort((a, b) => a[0] - b[0])
  const times: Array<number> = []
  const levels: Array<number> = []
  let level = 0
  for (const [at, change] of edges) {
    level += change
    // All edges of one instant make one step: who leaves at noon gives way to who comes at noon.
    if (times.at(-1) === at) levels[levels.length - 1] = level
    else {
      times.push(at)
      levels.push(level)
    }
  }
  return { times, levels }
}

/**
 * The highest weight kept at any instant of `[from, until)`.
 *
 * @since 0.1.0
 * @category calculating
 */
export const peak = ({ levels, times }: Occupancy, from: number, until: number): number => {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? Infinity) <= from) low = middle + 1
    else high = middle
  }
  let most = from < until ? levels[low - 1] ?? 0 : 0
  for (let at = low; at < times.length && (times[at] ?? Infinity) < until; at++) most = Math.max(most, levels[at] ?? 0)
  return most
}
