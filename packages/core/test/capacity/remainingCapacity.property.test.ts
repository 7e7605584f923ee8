import {
  type BookedSpan,
  computePeakWeight,
  computeRemainingCapacityInSpan,
  computeRemainingSeats,
  makeOccupancy,
  toClaim
} from "@trailbook/core/capacity/claims"
import type { Span } from "@trailbook/core/offering/listSlots"
import * as Offering from "@trailbook/core/offering/Offering"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

const minuteMs = 60_000
const base = Date.UTC(2027, 4, 1)

const spanOf = (fromMinute: number, toMinute: number): Span => ({
  startsAt: Instant.make(base + fromMinute * minuteMs),
  endsAt: Instant.make(base + toMinute * minuteMs)
})

const span = FastCheck.tuple(FastCheck.nat(40), FastCheck.integer({ min: 1, max: 15 }))
  .map(([from, length]) => spanOf(from, from + length))

const bookedSpan: FastCheck.Arbitrary<BookedSpan> = FastCheck.record({
  span,
  bookings: FastCheck.integer({ min: 1, max: 3 }),
  people: FastCheck.integer({ min: 0, max: 6 })
}).map(({ bookings, people, span }) => ({ ...span, bookings, quantity: bookings + people }))

const offeringOf = (kind: "appointment" | "rental", capacity: number, bufferMinutes: number): Offering.Offering =>
  Offering.make({ id: "o", orgId: "org", kind, name: "Raft", createdAt: Instant.min, capacity, bufferMinutes })

const situation = FastCheck.record({
  kind: FastCheck.constantFrom("appointment" as const, "rental" as const),
  capacity: FastCheck.integer({ min: 1, max: 8 }),
  bufferMinutes: FastCheck.constantFrom(0, 1, 3, 10, 60),
  taken: FastCheck.array(bookedSpan, { maxLength: 10 }),
  span
})

const weightOf = (kind: Offering.OfferingKind, { bookings, quantity }: BookedSpan): number =>
  kind === "appointment" ? bookings : quantity

/**
 * Returns the maximum occupancy in any minute of the span and its buffer. The spans of other bookings include their
 * buffers, too.
 */
const busiestMinute = (
  { bufferMinutes, kind }: Offering.Offering,
  { endsAt, startsAt }: Span,
  bookedSpans: ReadonlyArray<BookedSpan>
): number => {
  let maxWeight = 0
  for (let at: number = startsAt; at < endsAt + bufferMinutes * minuteMs; at += minuteMs) {
    let weight = 0
    for (const one of bookedSpans) {
      if (one.startsAt <= at && at < one.endsAt + bufferMinutes * minuteMs) weight += weightOf(kind, one)
    }
    maxWeight = Math.max(maxWeight, weight)
  }
  return maxWeight
}

describe("remaining capacity", () => {
  it("is the capacity minus the peak occupancy, but never negative", () => {
    let full = 0
    FastCheck.assert(
      FastCheck.property(situation, ({ bufferMinutes, capacity, kind, span, taken }) => {
        const offering = offeringOf(kind, capacity, bufferMinutes)
        const peak = busiestMinute(offering, span, taken)
        expect(computeRemainingCapacityInSpan(offering, span, taken)).toBe(peak > capacity ? 0 : capacity - peak)
        if (peak > capacity) full++
      }),
      { numRuns: 3000 }
    )
    expect(full).toBeGreaterThan(200)
  })

  it("does not change if bookings over one span are combined", () => {
    FastCheck.assert(
      FastCheck.property(situation, ({ bufferMinutes, capacity, kind, span, taken }) => {
        const offering = offeringOf(kind, capacity, bufferMinutes)
        const one = (of: BookedSpan, quantity: number): BookedSpan => ({ ...of, bookings: 1, quantity })
        const apart = taken.flatMap((of) =>
          Array.from({ length: of.bookings }, (_, at) => one(of, at === 0 ? of.quantity - of.bookings + 1 : 1))
        )
        expect(computeRemainingCapacityInSpan(offering, span, apart)).toBe(
          computeRemainingCapacityInSpan(offering, span, taken)
        )
      }),
      { numRuns: 1000 }
    )
  })

  it("requires only one buffer between two bookings", () => {
    const lengths = FastCheck.integer({ min: 1, max: 10 })
    FastCheck.assert(
      FastCheck.property(lengths, lengths, FastCheck.nat(12), (first, second, bufferMinutes) => {
        const offering = offeringOf("appointment", 1, bufferMinutes)
        const firstSpan: BookedSpan = { ...spanOf(100, 100 + first), bookings: 1, quantity: 1 }
        for (let from = 60; from < 150; from++) {
          const gapAfter = from - (100 + first)
          const gapBefore = 100 - (from + second)
          const isFree = gapAfter >= bufferMinutes || gapBefore >= bufferMinutes
          expect(computeRemainingCapacityInSpan(offering, spanOf(from, from + second), [firstSpan])).toBe(
            isFree ? 1 : 0
          )
        }
      }),
      { numRuns: 100 }
    )
  })

  it("counts one place per appointment or rented item", () => {
    FastCheck.assert(
      FastCheck.property(situation, ({ bufferMinutes, span, taken }) => {
        for (const of of taken) {
          expect(toClaim(offeringOf("appointment", 1, bufferMinutes), of).weight).toBe(of.bookings)
          expect(toClaim(offeringOf("rental", 1, bufferMinutes), of).weight).toBe(of.quantity)
        }
        const claims = taken.map((of) => toClaim(offeringOf("rental", 1, bufferMinutes), of))
        const { from, until } = toClaim(offeringOf("rental", 1, bufferMinutes), { ...span, bookings: 1, quantity: 1 })
        expect(until - from).toBe(span.endsAt - span.startsAt + bufferMinutes * minuteMs)
        expect(computePeakWeight(makeOccupancy(claims), from, until)).toBe(
          busiestMinute(offeringOf("rental", 1, bufferMinutes), span, taken)
        )
      }),
      { numRuns: 500 }
    )
  })

  it("prefers the session's capacity over the capacity of the class", () => {
    const seats = FastCheck.integer({ min: 1, max: 20 })
    FastCheck.assert(
      FastCheck.property(seats, FastCheck.option(seats), FastCheck.nat(40), (ofClass, ownCapacity, bookedSeats) => {
        const offering = Offering.make({
          id: "o",
          orgId: "org",
          kind: "class",
          name: "Roll",
          createdAt: Instant.min,
          capacity: ofClass
        })
        const session = {
          ...spanOf(0, 60),
          id: "s",
          orgId: "org",
          offeringId: "o",
          capacity: ownCapacity,
          notes: "",
          status: "scheduled" as const,
          createdAt: Instant.min,
          judgedAt: Instant.min
        }
        const freeSeats = (ownCapacity ?? ofClass) - bookedSeats
        expect(computeRemainingSeats(offering, session, bookedSeats)).toBe(freeSeats < 0 ? 0 : freeSeats)
      })
    )
  })
})
