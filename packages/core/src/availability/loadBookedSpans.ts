import * as Effect from "effect/Effect"
import type { BookingStore, OverlapQuery } from "../booking/BookingStore.ts"
import type { BookedSpan } from "../capacity/claims.ts"
import { yieldToEventLoop } from "../concurrency/yieldToEventLoop.ts"
import * as Instant from "../time/Instant.ts"

/** The approximate maximum number of bookings per statement. */
const bookingsAtOnce = 4000

const dayMs = 86_400_000
/**
 * The length of the first part. It covers two weeks and the bookings that extend into them, so most responses need only
 * one statement.
 */
const firstMs = 31 * dayMs
const leastMs = dayMs / 24

/**
 * Creates a reader for the booked spans in consecutive chunks of a response. It keeps the spans that can overlap later
 * chunks and does not read them again. A long range is read in parts. The length of each part depends on the number of
 * bookings in the previous part.
 */
export const makeLoadBookedSpans = (
  { overlapping }: Pick<BookingStore["Type"], "overlapping">
): (query: OverlapQuery) => Effect.Effect<ReadonlyArray<BookedSpan>> => {
  let loadedSpans: ReadonlyArray<BookedSpan> = []
  let loadedBefore = -Infinity
  let spanMs = firstMs

  const readSpans = (query: OverlapQuery, startsAfter: Instant.Instant): Effect.Effect<void> => {
    const startsBefore = Instant.make(Math.min(startsAfter + spanMs, query.startsBefore))
    return Effect.flatMap(overlapping([{ ...query, startsAfter, startsBefore }]), ([result]) => {
      const bookedSpans = result?.taken ?? []
      loadedSpans = [...loadedSpans, ...bookedSpans]
      loadedBefore = startsBefore
      const bookings = bookedSpans.reduce((sum, one) => sum + one.bookings, 0)
      spanMs = Math.max(leastMs, Math.floor(spanMs * Math.min(4, bookingsAtOnce / Math.max(1, bookings))))
      return startsBefore < query.startsBefore
        ? Effect.zipRight(yieldToEventLoop, readSpans(query, startsBefore))
        : Effect.void
    })
  }

  return (query) =>
    Effect.suspend(() => {
      loadedSpans = loadedSpans.filter(({ endsAt }) => endsAt > query.endsAfter)
      const startsAfter = Instant.make(Math.max(query.startsAfter, loadedBefore))
      return startsAfter >= query.startsBefore
        ? Effect.succeed(loadedSpans)
        : Effect.map(readSpans(query, startsAfter), () => loadedSpans)
    })
}
