/**
 * Checks that capacity was never exceeded. It replays the feed in ID order. Whenever a booking takes capacity, the live
 * bookings at that instant must fit into the capacity of the offering or session. This code deliberately shares nothing
 * with the booking engine, and checks one instant at a time.
 *
 * A lower capacity or a longer buffer cancels no bookings, so capacity is checked only when a booking takes it.
 *
 * Clocks differ and can be set back. If the capacity of an expired hold was sold again, the hold stays expired, even if
 * a later event contradicts this.
 */
import type { BookingView } from "@trailbook/core/booking"
import { OfferingView } from "@trailbook/core/offering"
import { SessionView } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { toBookingEvents } from "./history.ts"
import type { OrgSnapshot } from "./OrgSnapshot.ts"

const offeringOf = Schema.decodeUnknownEither(OfferingView)
const sessionOf = Schema.decodeUnknownEither(SessionView)

export const capacity = ({ events }: OrgSnapshot): ReadonlyArray<string> => {
  const eventsById = new Map(toBookingEvents(events).map((one) => [one.event.id, one]))
  const offerings = new Map<string, OfferingView>()
  const sessions = new Map<string, SessionView>()
  /** The bookings that occupy or can occupy capacity, by offering and booking. */
  const claims = new Map<string, Map<string, Claim>>()
  return events.flatMap((event) => {
    if (event.type.startsWith("offering.")) remember(offerings, offeringOf(event.data))
    if (event.type.startsWith("session.")) remember(sessions, sessionOf(event.data))
    const booking = eventsById.get(event.id)
    if (booking === undefined) return []
    const { now } = booking
    const there = claims.get(now.offering_id) ?? new Map<string, Claim>()
    claims.set(now.offering_id, there)
    const before = there.get(now.id)
    const claim = claimOf(now)
    if (now.status === "cancelled") there.delete(now.id)
    else there.set(now.id, claim)
    if (now.status === "cancelled" || (before !== undefined && isKept(before, claim, event.createdAt))) return []

    const offering = offerings.get(now.offering_id)
    if (offering === undefined) return [`event ${event.id}: no earlier event contains its offering`]
    for (const [id, other] of there) {
      const isPassed = other.expiresAt <= event.createdAt && id !== now.id && meet(other, claim, offering)
      if (isPassed) there.set(id, { ...other, isOver: true })
    }
    const live = [...there.values()].filter(({ expiresAt, isOver }) => !isOver && expiresAt > event.createdAt)
    const most = sessions.get(now.session_id ?? "")?.capacity ?? offering.capacity
    const usedSpots = offering.kind === "class" ? seats(claim, live) : peak(claim, live, offering)
    return usedSpots <= most
      ? []
      : [
        `event ${event.id} (${event.type} of ${now.reference}): ${usedSpots} of ${most} spots are occupied at ` +
        now.starts_at
      ]
  })
}

const remember = <Row extends { readonly id: string }>(
  rows: Map<string, Row>,
  row: Either.Either<Row, unknown>
): void => {
  if (Either.isRight(row)) rows.set(row.right.id, row.right)
}

interface Claim {
  readonly from: number
  readonly until: number
  readonly session: string | null
  readonly quantity: number
  /** The expiry. Infinity for a confirmed booking. */
  readonly expiresAt: number
  /** Whether the capacity was sold again after the hold expired. */
  readonly isOver: boolean
}

const at = (timestamp: string): number => Instant.parse(timestamp) ?? Number.NaN

const claimOf = ({ ends_at, expires_at, quantity, session_id, starts_at }: BookingView): Claim => ({
  from: at(starts_at),
  until: at(ends_at),
  session: session_id,
  quantity,
  expiresAt: expires_at === null ? Infinity : at(expires_at),
  isOver: false
})

/**
 * Returns whether a booking was already live and has not moved. Confirming a live hold takes no additional capacity.
 */
const isKept = (before: Claim, now: Claim, moment: Instant.Instant): boolean =>
  !before.isOver && before.expiresAt > moment && before.from === now.from && before.until === now.until &&
  before.session === now.session

const meet = (one: Claim, other: Claim, { buffer_minutes, kind }: OfferingView): boolean => {
  if (kind === "class") return one.session === other.session
  const bufferMs = buffer_minutes * 60_000
  return one.from < other.until + bufferMs && one.until + bufferMs > other.from
}

const seats = (claim: Claim, live: ReadonlyArray<Claim>): number =>
  live.filter(({ session }) => session === claim.session).reduce((sum, { quantity }) => sum + quantity, 0)

/** Returns the peak occupancy. Occupancy increases only at the start of a booking, so only the starts are checked. */
const peak = (claim: Claim, live: ReadonlyArray<Claim>, offering: OfferingView): number => {
  const bufferMs = offering.buffer_minutes * 60_000
  const overlaps = live.filter((other) => meet(other, claim, offering))
  const keptAt = (instant: number): number =>
    overlaps
      .filter(({ from, until }) => from <= instant && instant < until + bufferMs)
      .reduce((sum, { quantity }) => sum + (offering.kind === "appointment" ? 1 : quantity), 0)
  const instants = new Set(overlaps.map(({ from }) => Math.max(from, claim.from)))
  return Math.max(...[...instants].map(keptAt))
}
