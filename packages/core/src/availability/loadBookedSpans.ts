import * as Effect from "effect/Effect"
import type { BookingStore, OverlapQuery } from "../booking/BookingStore.ts"
import type { BookedSpan } from "../capacity/claims.ts"
import { yieldToEventLoop } from "../concurrency/yieldToEventLoop.ts"
import * as Instant from "../time/Instant.ts"

/** So many bookings are read in one statement, or thereabouts. */
const bookingsAtOnce = 4000

const dayMs = 86_400_000
/** Two weeks and what reaches into them are one statement, unless they are crowded. */
const firstMs = 31 * dayMs
const leastMs = dayMs / 24

/**
 * Reads what is taken for one slice of an answer after the other: what it has
 * read for those before it keeps as long as it may still overlap, and does not read
 * it again. A question that spans much time is asked in parts, each as long as the
 * one before it was crowded.
 */
export const makeLoadBookedSpans = (
  { overlapping }: Pick<BookingStore["Type"], "overlapping">
): (query: OverlapQuery) => Effect.Effect<ReadonlyArray<BookedSpan>> => {
  let known: ReadonlyArray<BookedSpan> = []
  let knownBefore = -Infinity
  let spanMs = firstMs

  const read = (query: OverlapQuery, startsAfter: Instant.Instant): Effect.Effect<void> => {
    const startsBefore = Instant.make(Math.min(startsAfter + spanMs, query.startsBefore))
    return Effect.flatMap(overlapping([{ ...query, startsAfter, startsBefore }]), ([touched]) => {
      const taken = touched?.taken ?? []
      known = [...known, ...taken]
      knownBefore = startsBefore
      const bookings = taken.reduce((sum, one) => sum + one.bookings, 0)
      spanMs = Math.max(leastMs, Math.floor(spanMs * Math.min(4, bookingsAtOnce / Math.max(1, bookings))))
      return startsBefore < query.startsBefore
        ? Effect.zipRight(yieldToEventLoop, read(query, startsBefore))
        : Effect.void
    })
  }

  return (query) =>
    Effect.suspend(() => {
      known = known.filter(({ endsAt }) => endsAt > query.endsAfter)
      const startsAfter = Instant.make(Math.max(query.startsAfter, knownBefore))
      return startsAfter >= query.startsBefore
        ? Effect.succeed(known)
        : Effect.map(read(query, startsAfter), () => known)
    })
}
