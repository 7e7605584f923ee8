/**
 * Checks that capacity was never exceeded. It replays the feed in ID order. Whenever a booking takes capacity, the live
 * bookings at that instant must fit within the capacity of the offering or session. This code deliberately shares
 * nothing with the booking engine, and checks one instant at a time.
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
import { toBookingEvents } from "./findHistoryViolations.ts"
import type { OrgSnapshot } from "./OrgSnapshot.ts"

const decodeOffering = Schema.decodeUnknownEither(OfferingView)
const decodeSession = Schema.decodeUnknownEither(SessionView)

export const findCapacityViolations = ({ events }: OrgSnapshot): ReadonlyArray<string> => {
  const eventsById = new Map(toBookingEvents(events).map((one) => [one.event.id, one]))
  const offerings = new Map<string, OfferingView>()
  const sessions = new Map<string, SessionView>()
  /** The bookings that occupy or can occupy capacity, by offering and booking. */
  const claims = new Map<string, Map<string, Claim>>()
  return events.flatMap((event) => {
    if (event.type.startsWith("offering.")) storeRow(offerings, decodeOffering(event.data))
    if (event.type.startsWith("session.")) storeRow(sessions, decodeSession(event.data))
    const booking = eventsById.get(event.id)
    if (booking === undefined) return []
    const { now } = booking
    const offeringClaims = claims.get(now.offering_id) ?? new Map<string, Claim>()
    claims.set(now.offering_id, offeringClaims)
    const before = offeringClaims.get(now.id)
    const claim = toClaim(now)
    if (now.status === "cancelled") offeringClaims.delete(now.id)
    else offeringClaims.set(now.id, claim)
    if (now.status === "cancelled" || (before !== undefined && isKept(before, claim, event.createdAt))) return []

    const offering = offerings.get(now.offering_id)
    if (offering === undefined) return [`event ${event.id}: no earlier event contains its offering`]
    for (const [id, other] of offeringClaims) {
      const isExpired = other.expiresAt <= event.createdAt && id !== now.id && isOverlapping(other, claim, offering)
      if (isExpired) offeringClaims.set(id, { ...other, isResold: true })
    }
    const live = [...offeringClaims.values()].filter(({ expiresAt, isResold }) =>
      !isResold && expiresAt > event.createdAt
    )
    const maxSpots = sessions.get(now.session_id ?? "")?.capacity ?? offering.capacity
    const usedSpots = offering.kind === "class" ? sumSeats(claim, live) : findPeak(claim, live, offering)
    return usedSpots <= maxSpots
      ? []
      : [
        `event ${event.id} (${event.type} of ${now.reference}): ${usedSpots} of ${maxSpots} spots are occupied at ` +
        now.starts_at
      ]
  })
}

const storeRow = <Row extends { readonly id: string }>(
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
  readonly isResold: boolean
}

const toMillis = (timestamp: string): number => Instant.parse(timestamp) ?? Number.NaN

const toClaim = ({ ends_at, expires_at, quantity, session_id, starts_at }: BookingView): Claim => ({
  from: toMillis(starts_at),
  until: toMillis(ends_at),
  session: session_id,
  quantity,
  expiresAt: expires_at === null ? Infinity : toMillis(expires_at),
  isResold: false
})

/**
 * Returns whether a booking was already live and has not moved. Confirming a live hold takes no additional capacity.
 */
const isKept = (before: Claim, after: Claim, moment: Instant.Instant): boolean =>
  !before.isResold && before.expiresAt > moment && before.from === after.from && before.until === after.until &&
  before.session === after.session

const isOverlapping = (one: Claim, other: Claim, { buffer_minutes, kind }: OfferingView): boolean => {
  if (kind === "class") return one.session === other.session
  const bufferMs = buffer_minutes * 60_000
  return one.from < other.until + bufferMs && one.until + bufferMs > other.from
}

const sumSeats = (claim: Claim, live: ReadonlyArray<Claim>): number =>
  live.filter(({ session }) => session === claim.session).reduce((sum, { quantity }) => sum + quantity, 0)

/** Returns the peak occupancy. Occupancy increases only at the start of a booking, so only the starts are checked. */
const findPeak = (claim: Claim, live: ReadonlyArray<Claim>, offering: OfferingView): number => {
  const bufferMs = offering.buffer_minutes * 60_000
  const overlaps = live.filter((other) => isOverlapping(other, claim, offering))
  const occupancyAt = (instant: number): number =>
    overlaps
      .filter(({ from, until }) => from <= instant && instant < until + bufferMs)
      .reduce((sum, { quantity }) => sum + (offering.kind === "appointment" ? 1 : quantity), 0)
  const instants = new Set(overlaps.map(({ from }) => Math.max(from, claim.from)))
  return Math.max(...[...instants].map(occupancyAt))
}
