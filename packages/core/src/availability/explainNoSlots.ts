/**
 * Why nothing can be booked in a range: the first of these that is true, each
 * told apart by what would have to be different for something to be listed. Pure.
 */
import type { PlaceFacts } from "../booking/checkPlace.ts"
import { bookable, type Length, slots } from "../offering/slots.ts"
import type { BookedSession } from "../session/SessionStore.ts"
import * as Instant from "../time/Instant.ts"

/**
 * - `paused`: booking is paused.
 * - `full`: there are starts, and none has enough left.
 * - `notice`: what is still to come there begins too soon to be booked.
 * - `horizon`: what there is lies further ahead than can be booked yet.
 * - `past`: what there was has begun.
 * - `nothing_scheduled`: a class without a session there.
 * - `too_long`: it is open, but never for as long as this takes.
 * - `closed`: no weekly hours there.
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

/**
 * What was asked: starts in `[from, to)` of so long a span, or the sessions that
 * are scheduled there.
 */
export interface SlotSearch {
  readonly from: Instant.Instant
  readonly to: Instant.Instant
  readonly of: { readonly length: Length } | { readonly sessions: ReadonlyArray<BookedSession> }
  /** How many starts are listed there, full ones included. */
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
  // Not for what lies beyond the horizon as well: less notice would not help there.
  if (between(now, Math.min(open.from, open.before))) return "notice"
  if (between(open.before, Infinity)) return "horizon"
  if (between(-Infinity, now)) return "past"
  if ("sessions" in of) return "nothing_scheduled"
  return has(facts, from, to, { periodMinutes: 1, periods: 1 }) ? "too_long" : "closed"
}

const scheduled = (sessions: ReadonlyArray<BookedSession>) => (from: number, to: number): boolean =>
  sessions.some(({ session: { startsAt } }) => startsAt >= from && startsAt < to)

const days = 14 * 86_400_000

/** Whether weekly hours have a start there, were there neither notice nor horizon; a year is asked in pieces. */
const has = ({ offering, zone }: PlaceFacts, from: number, to: number, length: Length): boolean => {
  for (let first = from; first < to; first += days) {
    const start = Instant.make(first)
    const unbound = { ...offering, minNoticeMinutes: 0, maxAdvanceDays: 730 }
    const end = Instant.make(Math.min(to, first + days))
    if (slots({ offering: unbound, zone, now: start, from: start, to: end, length }).length > 0) return true
  }
  return false
}
