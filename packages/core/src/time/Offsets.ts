/**
 * The UTC offsets of one zone as a table, because asking `Intl` costs
 * microseconds and a lookup here some ten nanoseconds.
 *
 * The table is a list of segments, stretches of time with one offset. It is read
 * from `Intl` in chunks of about 8.5 years, each when it is first needed: one
 * probe per step of a grid, and a bisection to the second where the offsets at
 * the two ends of a step differ.
 */

/**
 * A cursor over the segments: {@link Offsets.seek} and {@link Offsets.seekWall}
 * move it, then `from`, `to` and `offset` tell of the segment it stands on. All
 * in milliseconds. The cursor stays where it is between calls, so that a run of
 * neighbouring lookups searches once.
 *
 * @category models
 */
export class Offsets {
  /** The first instant of the segment. A chunk begins one too, so the segment before may have the same offset. */
  from = 0
  /** The first instant after the segment. */
  to = 0
  /** What to add to an instant of the segment for its wall time. */
  offset = 0

  private readonly chunks = new Map<number, Chunk>()
  private readonly offsetSecondsAt: OffsetSecondsAt

  constructor(offsetSecondsAt: OffsetSecondsAt) {
    this.offsetSecondsAt = offsetSecondsAt
  }

  /** Moves to the segment of an instant (epoch milliseconds). */
  seek(instant: number): void {
    if (instant >= this.from && instant < this.to) return
    const { offsets, starts } = this.chunkOf(instant)
    // The end of the chunk closes the list, so the segment found always has a start after it.
    let index = starts.length - 2
    while (index > 0 && starts[index]! > instant) index--
    this.from = starts[index]!
    this.to = starts[index + 1]!
    this.offset = offsets[index]!
  }

  /**
   * Moves to the first segment that has not ended when its clocks show `wall`
   * (milliseconds since 1970-01-01T00:00 on the wall), and answers the offset of
   * the segment before. Three cases: the segment holds `wall` alone; it holds the
   * first of two occurrences; or `wall - offset` lies before `from`, and the
   * clocks jump over `wall` at `from`.
   */
  seekWall(wall: number): number {
    this.seek(wall - offsetLimit)
    let before = this.offset
    while (wall - this.offset >= this.to) {
      before = this.offset
      this.seek(this.to)
    }
    return before
  }

  private chunkOf(instant: number): Chunk {
    const index = Math.floor(instant / (chunkSeconds * 1000))
    const known = this.chunks.get(index)
    if (known !== undefined) return known
    const chunk = readChunk(this.offsetSecondsAt, index)
    this.chunks.set(index, chunk)
    return chunk
  }
}

/** The offset from UTC in seconds, at an instant in epoch seconds. */
type OffsetSecondsAt = (epochSeconds: number) => number

interface Chunk {
  /** Epoch milliseconds; one more than there are offsets. */
  readonly starts: ReadonlyArray<number>
  /** Milliseconds. */
  readonly offsets: ReadonlyArray<number>
}

// Two changes inside one step that cancel out would not be seen. The nearest such pair since 1970 is 7 days less an
// hour apart (Recife, October 2000; Gaza, October 2040), so a step of a week is too long. 2^19 seconds are 6.07 days;
// powers of two keep chunks, steps and halvings on whole seconds.
const stepSeconds = 2 ** 19
const chunkSeconds = 2 ** 28

// No offset is as long as a day, so a wall time never lies in a segment that ended a day before it, read as UTC.
const offsetLimit = 86_400_000

const readChunk = (offsetSecondsAt: OffsetSecondsAt, index: number): Chunk => {
  const chunkStart = index * chunkSeconds
  const chunkEnd = chunkStart + chunkSeconds
  let offset = offsetSecondsAt(chunkStart)
  const starts = [chunkStart * 1000]
  const offsets = [offset * 1000]
  for (let low = chunkStart; low < chunkEnd; low += stepSeconds) {
    const high = low + stepSeconds
    const last = offsetSecondsAt(high)
    let from = low
    // More than once, should a zone change twice in a step and not change back.
    while (offset !== last) {
      from = firstChange(offsetSecondsAt, from, high, offset)
      offset = offsetSecondsAt(from)
      starts.push(from * 1000)
      offsets.push(offset * 1000)
    }
  }
  starts.push(chunkEnd * 1000)
  return { starts, offsets }
}

/** The second in (low, high] at which `offset`, that of `low` but not of `high`, ends. */
const firstChange = (offsetSecondsAt: OffsetSecondsAt, low: number, high: number, offset: number): number => {
  let before = low
  let after = high
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetSecondsAt(middle) === offset) before = middle
    else after = middle
  }
  return after
}
