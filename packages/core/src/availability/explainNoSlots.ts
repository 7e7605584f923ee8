/**
 * Explains why nothing can be booked in a range. Returns the first reason that applies, each defined by what would have
 * to change for a slot to be listed. It is pure.
 */
import type { PlaceFacts } from "../booking/checkPlace.ts"
import { bookable, type Length, slots } from "../offering/slots.ts"
import type { BookedSession } from "../session/SessionStore.ts"
import * as Instant from "../time/Instant.ts"

/**
 * - `paused`: Booking is paused.
 * - `full`: Starts exist, and none has enough capacity.
 * - `notice`: The remaining starts are too soon to be booked.
 * - `horizon`: The starts are too far ahead to be booked yet.
 * - `past`: The starts have passed.
 * - `nothing_scheduled`: A class without a session in the range.
 * - `too_long`: The offering is open, but never for as long as this booking takes.
 * - `closed`: No weekly hours in the range.
 */
export const reasons = [
  "paused",
  "full",
  "notice",
  "horizon",
  "past",
  "nothing_scheduled",
  "too_long",
  "closed"
] as const

export type Reason = (typeof reasons)[number]

/** The search: starts in `[from, to)` with this length, or the sessions that are scheduled in it. */
export interface SlotSearch {
  readonly from: Instant.Instant
  readonly to: Instant.Instant
  readonly of: { readonly length: Length } | { readonly sessions: ReadonlyArray<BookedSession> }
  /** The number of listed starts, including full ones. */
  readonly listed: number
}

export const explainNoSlots = (facts: PlaceFacts, { from, listed, of, to }: SlotSearch): Reason => {
  const { now, offering, zone } = facts
  if (!offering.active) return "paused"
  if (listed > 0) return "full"
  const open = bookable(offering, zone, now)
  const starts = "sessions" in of
    ? scheduled(of.sessions)
    : (from: number, to: number) => has(facts, from, to, of.length)
  const between = (first: number, last: number) => starts(Math.max(from, first), Math.min(to, last))
  // Stops at the horizon, because less notice would not help beyond it.
  if (between(now, Math.min(open.from, open.before))) return "notice"
  if (between(open.before, Infinity)) return "horizon"
  if (between(-Infinity, now)) return "past"
  if ("sessions" in of) return "nothing_scheduled"
  return has(facts, from, to, { periodMinutes: 1, periods: 1 }) ? "too_long" : "closed"
}

const scheduled = (sessions: ReadonlyArray<BookedSession>) => (from: number, to: number): boolean =>
  sessions.some(({ session: { startsAt } }) => startsAt >= from && startsAt < to)

const days = 14 * 86_400_000

/**
 * Whether the weekly hours have a start in the range, ignoring notice and horizon. Long ranges are checked in pieces.
 */
const has = ({ offering, zone }: PlaceFacts, from: number, to: number, length: Length): boolean => {
  for (let first = from; first < to; first += days) {
    const start = Instant.make(first)
    const unbound = { ...offering, minNoticeMinutes: 0, maxAdvanceDays: 730 }
    const end = Instant.make(Math.min(to, first + days))
    if (slots({ offering: unbound, zone, now: start, from: start, to: end, length }).length > 0) return true
  }
  return false
}
