import { makeLoadBookedSpans } from "@trailbook/core/availability/Availability"
import type { OverlapQuery } from "@trailbook/core/booking/BookingStore"
import type { BookedSpan } from "@trailbook/core/capacity/claims"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert, it } from "vitest"

const hourMs = 3_600_000

const bookings = FastCheck.array(
  FastCheck.record({
    start: FastCheck.integer({ min: 0, max: 9000 }),
    hours: FastCheck.integer({ min: 1, max: 900 }),
    bookings: FastCheck.oneof(FastCheck.integer({ min: 1, max: 5 }), FastCheck.integer({ min: 1000, max: 9000 }))
  }),
  { maxLength: 60 }
)

/** Consecutive slices, each with the bookings that can overlap it. */
const questions = FastCheck.record({
  lengths: FastCheck.array(FastCheck.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 8 }),
  bufferHours: FastCheck.integer({ min: 0, max: 24 }),
  longestHours: FastCheck.integer({ min: 0, max: 900 }),
  gapHours: FastCheck.integer({ min: 0, max: 200 })
})

it("returns the stored occupancy for each slice, and reads no interval twice", () =>
  FastCheck.assert(
    FastCheck.asyncProperty(bookings, questions, async (rows, { bufferHours, gapHours, lengths, longestHours }) => {
      const all = rows.map(({ bookings, hours, start }): BookedSpan => ({
        startsAt: Instant.make(start * hourMs),
        endsAt: Instant.make((start + Math.min(hours, Math.max(1, longestHours))) * hourMs),
        bookings,
        quantity: bookings
      }))
      const findOverlaps = ({ endsAfter, startsAfter, startsBefore }: OverlapQuery) =>
        all.filter((one) => one.startsAt >= startsAfter && one.startsAt < startsBefore && one.endsAt > endsAfter)
      const intervals: Array<readonly [number, number]> = []
      const loadSpans = makeLoadBookedSpans({
        overlapping: (queries) =>
          Effect.sync(() => {
            for (const { startsAfter, startsBefore } of queries) intervals.push([startsAfter, startsBefore])
            return queries.map((query) => ({ bookedSpans: findOverlaps(query), lapsedAt: null }))
          })
      })
      let from = 0
      for (const length of lengths) {
        const query: OverlapQuery = {
          orgId: "org",
          offeringId: "offering",
          now: Instant.min,
          startsAfter: Instant.make((from - longestHours - bufferHours) * hourMs),
          startsBefore: Instant.make((from + length + bufferHours) * hourMs),
          endsAfter: Instant.make((from - bufferHours) * hourMs)
        }
        const spans = await Effect.runPromise(loadSpans(query))
        // Bookings that were prefetched for later slices do not overlap this one.
        const order = (some: ReadonlyArray<BookedSpan>) =>
          some.map(({ bookings, endsAt, startsAt }) => `${startsAt} ${endsAt} ${bookings}`).sort()
        assert.deepStrictEqual(
          order(spans.filter(({ startsAt }) => startsAt < query.startsBefore)),
          order(findOverlaps(query))
        )
        from += length + gapHours
      }
      for (const [at, [begin, end]] of intervals.entries()) {
        assert.isBelow(begin, end)
        if (at > 0) assert.isAtLeast(begin, intervals[at - 1]?.[1] ?? 0)
      }
    }),
    { numRuns: 300 }
  ))
