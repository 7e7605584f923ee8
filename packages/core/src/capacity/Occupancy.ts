/**
 * What is kept at each instant. A claim is what a live booking
 * keeps: `weight` places for the half-open interval `[from, until)`, the buffer
 * after it included. What counts is the peak of concurrent weight, never the
 * sum: two bookings after one another need one place.
 */

export interface Claim {
  /** Epoch milliseconds, included. */
  readonly from: number
  /** Epoch milliseconds, excluded; the buffer is in it. */
  readonly until: number
  /** Appointment 1, rental its quantity; equal intervals may be added up. */
  readonly weight: number
}

/** The weight kept over time, as steps: `levels[i]` from `times[i]` until `times[i + 1]`. */
export interface Occupancy {
  readonly times: ReadonlyArray<number>
  readonly levels: ReadonlyArray<number>
}

export const make = (claims: ReadonlyArray<Claim>): Occupancy => {
  const real = claims.filter(({ from, until }) => from < until)
  // Claims come in the order of their starts, and nearly in that of their ends: sorting again costs next to nothing.
  const coming = real.toSorted((a, b) => a.from - b.from)
  const leaving = real.toSorted((a, b) => a.until - b.until)
  const times: Array<number> = []
  const levels: Array<number> = []
  let level = 0
  let comes = 0
  for (let leaves = 0; leaves < leaving.length;) {
    const at = Math.min(coming[comes]?.from ?? Infinity, leaving[leaves]?.until ?? Infinity)
    // All changes of one instant make one step: who leaves at noon gives way to who comes at noon.
    for (; coming[comes]?.from === at; comes++) level += coming[comes]?.weight ?? 0
    for (; leaving[leaves]?.until === at; leaves++) level -= leaving[leaves]?.weight ?? 0
    times.push(at)
    levels.push(level)
  }
  return { times, levels }
}

/** The highest weight kept at any instant of `[from, until)`. */
export const peakWeight = ({ levels, times }: Occupancy, from: number, until: number): number => {
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
