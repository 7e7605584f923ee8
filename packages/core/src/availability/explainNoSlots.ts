/**
 * Explains why no start can be booked in a range. Returns the first reason that applies: the one condition that must
 * change before a slot is listed. The function is pure.
 */
import type { PlaceFacts } from "../booking/checkPlace.ts"
import { type Closure, makeFindClosure } from "../offering/closure/Closure.ts"
import { type BookingLength, getBookableWindow, listSlots } from "../offering/listSlots.ts"
import type { BookedSession } from "../session/Session.ts"
import * as Instant from "../time/Instant.ts"

/**
 * - `paused`: Booking is paused.
 * - `full`: Starts exist, but none has enough capacity.
 * - `notice`: The remaining starts are too soon to be booked.
 * - `horizon`: The starts are too far ahead to be booked yet.
 * - `past`: The starts have passed.
 * - `nothing_scheduled`: The class has no session in the range.
 * - `too_long`: The offering is open, but never long enough for this booking.
 * - `closed`: The range has no opening hours, or a closure covers all starts that could be booked.
 */
export const noSlotsReasons = [
  "paused",
  "full",
  "notice",
  "horizon",
  "past",
  "nothing_scheduled",
  "too_long",
  "closed"
] as const

export type NoSlotsReason = (typeof noSlotsReasons)[number]

/** The search range, and either the length of the booking or the sessions that are scheduled in the range. */
export interface SlotSearch {
  readonly from: Instant.Instant
  readonly to: Instant.Instant
  readonly of: { readonly length: BookingLength } | { readonly sessions: ReadonlyArray<BookedSession> }
  /** The number of listed starts, including full ones. */
  readonly listed: number
}

export interface NoSlotsExplanation {
  readonly because: NoSlotsReason
  /** The closure that covers the first start that would otherwise be listed. Set only for `closed`. */
  readonly closure?: Closure
}

export const explainNoSlots = (facts: PlaceFacts, { from, listed, of, to }: SlotSearch): NoSlotsExplanation => {
  const { closures, now, offering, zone } = facts
  if (!offering.active) return { because: "paused" }
  if (listed > 0) return { because: "full" }
  const bookableRange = getBookableWindow(offering, zone, now)
  const findClosureAt = makeFindClosure(closures, zone, offering)
  const findFirstStart = "sessions" in of
    ? (from: number, to: number, isClosed: boolean) =>
      of.sessions.find(({ session: { startsAt } }) =>
        startsAt >= from && startsAt < to && (findClosureAt(startsAt) !== undefined) === isClosed
      )?.session.startsAt
    : (from: number, to: number, isClosed: boolean) =>
      findStart(facts, from, to, of.length, (startsAt) => (findClosureAt(startsAt) !== undefined) === isClosed)
  const findStartBetween = (first: number, last: number, isClosed = false) =>
    findFirstStart(Math.max(from, first), Math.min(to, last), isClosed)
  const explainClosure = (startsAt: Instant.Instant): NoSlotsExplanation => {
    const closure = findClosureAt(startsAt)
    return { because: "closed", ...(closure === undefined ? {} : { closure }) }
  }
  const closedStart = closures.length === 0
    ? undefined
    : findStartBetween(bookableRange.from, bookableRange.before, true)
  if (closedStart !== undefined) return explainClosure(closedStart)
  // Search only up to the horizon: a start beyond it could not be booked even with shorter notice.
  if (findStartBetween(now, Math.min(bookableRange.from, bookableRange.before)) !== undefined) {
    return { because: "notice" }
  }
  if (findStartBetween(bookableRange.before, Infinity) !== undefined) return { because: "horizon" }
  if (findStartBetween(-Infinity, now) !== undefined) return { because: "past" }
  const otherClosedStart = closures.length === 0 ? undefined : findStartBetween(-Infinity, Infinity, true)
  if (otherClosedStart !== undefined) return explainClosure(otherClosedStart)
  if ("sessions" in of) return { because: "nothing_scheduled" }
  const isOpen = findStart(facts, from, to, { periodMinutes: 1, periods: 1 }) !== undefined
  return { because: isOpen ? "too_long" : "closed" }
}

const chunkMs = 14 * 86_400_000

/**
 * Returns the first start in the range that is within opening hours and satisfies `matches`. Notice, horizon, and
 * closures are ignored. Long ranges are searched in chunks.
 */
const findStart = (
  { offering, zone }: PlaceFacts,
  from: number,
  to: number,
  length: BookingLength,
  matches: (startsAt: Instant.Instant) => boolean = () => true
): Instant.Instant | undefined => {
  for (let first = from; first < to; first += chunkMs) {
    const start = Instant.make(first)
    const unlimitedOffering = { ...offering, minNoticeMinutes: 0, maxAdvanceDays: 730 }
    const end = Instant.make(Math.min(to, first + chunkMs))
    const match = listSlots({ offering: unlimitedOffering, zone, now: start, from: start, to: end, length })
      .find(({ startsAt }) => matches(startsAt))
    if (match !== undefined) return match.startsAt
  }
  return undefined
}
