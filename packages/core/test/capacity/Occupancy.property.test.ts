import { type CapacityClaim, computePeakWeight, makeOccupancy } from "@trailbook/core/capacity/claims"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

// One hour in one-minute steps, so that equal instants are common.
const minutes = 60

const claim = FastCheck.record({
  from: FastCheck.nat(minutes),
  until: FastCheck.nat(minutes),
  weight: FastCheck.integer({ min: 1, max: 5 })
})

const claims = FastCheck.array(claim, { maxLength: 12 })
const interval = FastCheck.tuple(FastCheck.integer({ min: -2, max: minutes + 2 }), FastCheck.nat(minutes))
  .map(([from, length]) => ({ from, until: from + length }))

const weightAt = (claims: ReadonlyArray<CapacityClaim>, minute: number): number =>
  claims.reduce((sum, { from, until, weight }) => from <= minute && minute < until ? sum + weight : sum, 0)

const peakByMinute = (claims: ReadonlyArray<CapacityClaim>, from: number, until: number): number => {
  let most = 0
  for (let minute = from; minute < until; minute++) most = Math.max(most, weightAt(claims, minute))
  return most
}

describe("the peak", () => {
  it("is the highest total weight in any minute of the interval", () => {
    FastCheck.assert(
      FastCheck.property(claims, FastCheck.array(interval, { minLength: 1, maxLength: 10 }), (claims, intervals) => {
        const occupancy = makeOccupancy(claims)
        const peaks = intervals.map(({ from, until }) => computePeakWeight(occupancy, from, until))
        expect(peaks).toEqual(intervals.map(({ from, until }) => peakByMinute(claims, from, until)))
      }),
      { numRuns: 5000 }
    )
  })

  it("equals the weight at an instant for a one-minute interval", () => {
    FastCheck.assert(
      FastCheck.property(claims, (claims) => {
        const occupancy = makeOccupancy(claims)
        for (let minute = -1; minute <= minutes + 1; minute++) {
          expect(computePeakWeight(occupancy, minute, minute + 1)).toBe(weightAt(claims, minute))
          expect(computePeakWeight(occupancy, minute, minute)).toBe(0)
        }
      }),
      { numRuns: 300 }
    )
  })

  it("does not change if claims are reordered or combined", () => {
    const mixed = claims.chain((claims) =>
      FastCheck.record({
        claims: FastCheck.constant(claims),
        shuffled: FastCheck.shuffledSubarray([...claims], { minLength: claims.length }),
        interval
      })
    )
    FastCheck.assert(
      FastCheck.property(mixed, ({ claims, interval: { from, until }, shuffled }) => {
        const sums = new Map<string, CapacityClaim>()
        for (const claim of claims) {
          const span = `${claim.from} ${claim.until}`
          sums.set(span, { ...claim, weight: claim.weight + (sums.get(span)?.weight ?? 0) })
        }
        const addedUp = [...sums.values()]
        const peak = computePeakWeight(makeOccupancy(claims), from, until)
        expect(computePeakWeight(makeOccupancy(shuffled), from, until)).toBe(peak)
        expect(computePeakWeight(makeOccupancy(addedUp), from, until)).toBe(peak)
      }),
      { numRuns: 2000 }
    )
  })

  it("is 1 for any number of back-to-back bookings at one place", () => {
    const chain = Array.from({ length: 20 }, (_, at) => ({ from: at * 3, until: at * 3 + 3, weight: 1 }))
    expect(computePeakWeight(makeOccupancy(chain), 0, 60)).toBe(1)
  })
})
