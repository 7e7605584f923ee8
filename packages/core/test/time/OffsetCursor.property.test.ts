import { OffsetCursor } from "@trailbook/core/time/OffsetCursor"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

// Artificial zones with changes that no real zone has: twice a day, by hours and seconds, or at a chunk boundary.

interface Change {
  readonly at: number
  readonly offset: number
}

const step = 2 ** 19

/** The offset before all changes. No change returns to it. */
const firstOffset = 16 * 3600

const offsets = FastCheck.integer({ min: -15 * 3600, max: 15 * 3600 })

/** Instants far from a change, instants near one, and the milliseconds just before and at the change. */
const instants = FastCheck.array(
  FastCheck.record({ of: FastCheck.nat(40), by: FastCheck.integer({ min: -200_000, max: 200_000 }) }),
  { minLength: 10, maxLength: 30 }
).map((around) => (changes: ReadonlyArray<Change>) =>
  around.flatMap(({ by, of }) => {
    const { at } = changes[of % changes.length]!
    return [(at + by) * 1000, at * 1000 + (by % 3000), at * 1000 - 1, at * 1000]
  })
)

describe("OffsetCursor", () => {
  it("finds every offset change that is never reversed", () => {
    const distances = FastCheck.oneof(
      FastCheck.integer({ min: 1, max: 100_000 }),
      FastCheck.integer({ min: 1, max: 60 * step })
    )
    // The offsets are unique, so no change undoes an earlier change.
    const changes = FastCheck.uniqueArray(offsets, { minLength: 1, maxLength: 40 }).chain((different) =>
      FastCheck.tuple(...different.map((offset) => FastCheck.tuple(distances, FastCheck.constant(offset))))
    )
    FastCheck.assert(
      FastCheck.property(changes.map(laidOut), instants, (changes, instants) => {
        expect(instants(changes).map(readTable(changes))).toEqual(instants(changes).map(scanChanges(changes)))
      }),
      { numRuns: 2000 }
    )
  })

  it("finds an offset change that lasts at least one grid step", () => {
    const distances = FastCheck.integer({ min: step, max: 20 * step })
    const changes = FastCheck.tuple(offsets, offsets, FastCheck.array(distances, { minLength: 1, maxLength: 40 })).map(
      ([even, odd, distances]) =>
        distances.map((distance, index): [number, number] => [distance, index % 2 === 0 ? even : odd])
    )
    FastCheck.assert(
      FastCheck.property(changes.map(laidOut), instants, (changes, instants) => {
        expect(instants(changes).map(readTable(changes))).toEqual(instants(changes).map(scanChanges(changes)))
      }),
      { numRuns: 2000 }
    )
  })

  it("computes the offsets of each range of years only once", () => {
    let probes = 0
    const changes = laidOut([
      [step * 10, 3600],
      [step * 200, 0]
    ])
    const table = new OffsetCursor((seconds) => {
      probes++
      return linear(changes, seconds)
    })
    // Alternate between the two sides of a change, so that the cached position never helps.
    for (let days = -300; days <= 300; days++) {
      table.seek(changes[1]!.at * 1000 + (days % 2 === 0 ? days : -days) * 86_400_000)
    }
    expect(probes).toBeLessThanOrEqual(513 + 2 * 20)
  })
})

/** Builds changes from the distances between them, starting near a chunk boundary. */
const laidOut = (changes: ReadonlyArray<readonly [distance: number, offset: number]>): ReadonlyArray<Change> => {
  let at = 2 ** 28 * 6 - 5 * step
  return changes.map(([distance, offset]) => ({ at: at += distance, offset }))
}

const linear = (changes: ReadonlyArray<Change>, seconds: number): number =>
  changes.findLast(({ at }) => at <= seconds)?.offset ?? firstOffset

const readTable = (changes: ReadonlyArray<Change>) => {
  const table = new OffsetCursor((seconds) => linear(changes, seconds))
  return (instant: number) => {
    table.seek(instant)
    return { offset: table.offset, inside: table.from <= instant && instant < table.to }
  }
}

const scanChanges = (changes: ReadonlyArray<Change>) => (instant: number) => ({
  offset: linear(changes, Math.floor(instant / 1000)) * 1000,
  inside: true
})
