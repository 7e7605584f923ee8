/**
 * Determines how much capacity a booking claims, and for how long. A class booking claims its seats in the session. An
 * appointment claims 1, regardless of the party size. A rental claims its items. Appointments and rentals also claim
 * the buffer after their end. A place's clock decides which holds still count.
 */
import type { Span } from "../offering/listSlots.ts"
import type { Offering } from "../offering/Offering.ts"
import type { Session } from "../session/Session.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * A claim of a live booking: `weight` during the half-open interval `[from, until)`, which includes the buffer.
 * Capacity checks use the peak of concurrent weight instead of the sum, because consecutive bookings can use the same
 * unit of capacity.
 */
export interface CapacityClaim {
  /** The start in epoch milliseconds, inclusive. */
  readonly from: number
  /** The end in epoch milliseconds, exclusive, including the buffer. */
  readonly until: number
  /**
   * The claimed capacity: 1 for an appointment, or the quantity for a rental. Claims with equal intervals can be
   * combined by adding their weights.
   */
  readonly weight: number
}

/** The claimed weight as a step function. `levels[i]` applies from `times[i]` until `times[i + 1]`. */
export interface Occupancy {
  readonly times: ReadonlyArray<number>
  readonly levels: ReadonlyArray<number>
}

export const makeOccupancy = (claims: ReadonlyArray<CapacityClaim>): Occupancy => {
  const nonEmptyClaims = claims.filter(({ from, until }) => from < until)
  // Claims are sorted by start and nearly sorted by end, so sorting again is cheap.
  const byStart = nonEmptyClaims.toSorted((a, b) => a.from - b.from)
  const byEnd = nonEmptyClaims.toSorted((a, b) => a.until - b.until)
  const times: Array<number> = []
  const levels: Array<number> = []
  let level = 0
  let startIndex = 0
  for (let endIndex = 0; endIndex < byEnd.length;) {
    const at = Math.min(byStart[startIndex]?.from ?? Infinity, byEnd[endIndex]?.until ?? Infinity)
    // All changes at the same instant form one step, because a booking that ends at noon makes room for one that starts
    // at noon.
    for (; byStart[startIndex]?.from === at; startIndex++) level += byStart[startIndex]?.weight ?? 0
    for (; byEnd[endIndex]?.until === at; endIndex++) level -= byEnd[endIndex]?.weight ?? 0
    times.push(at)
    levels.push(level)
  }
  return { times, levels }
}

/** Returns the maximum weight at any instant in `[from, until)`. */
export const computePeakWeight = ({ levels, times }: Occupancy, from: number, until: number): number => {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? Infinity) <= from) low = middle + 1
    else high = middle
  }
  let peak = from < until ? levels[low - 1] ?? 0 : 0
  for (let at = low; at < times.length && (times[at] ?? Infinity) < until; at++) peak = Math.max(peak, levels[at] ?? 0)
  return peak
}

/** The sum of live bookings with the same span. */
export interface BookedSpan extends Span {
  readonly bookings: number
  readonly quantity: number
}

/** Returns the claim for bookings with the same span. Not used for classes, because they are counted by session. */
export const toClaim = (
  offering: Pick<Offering, "kind" | "bufferMinutes">,
  { bookings, endsAt, quantity, startsAt }: BookedSpan
): CapacityClaim => ({
  from: startsAt,
  until: getClaimEnd(offering, endsAt),
  weight: offering.kind === "appointment" ? bookings : quantity
})

/** Returns the end of the buffer after a booking. */
export const getClaimEnd = ({ bufferMinutes }: Pick<Offering, "bufferMinutes">, endsAt: Instant): number =>
  endsAt + bufferMinutes * 60_000

/**
 * Returns the remaining capacity for an appointment's or rental's span: the capacity minus the claims, but at least 0.
 * The capacity can be lower than the booked amount, because lowering it does not cancel bookings. `bookedSpans`
 * contains all live bookings that overlap the span.
 */
export const computeRemainingCapacityInSpan = (
  offering: Offering,
  span: Span,
  bookedSpans: ReadonlyArray<BookedSpan>
): number =>
  computeRemainingCapacityInOccupancy(offering, span, makeOccupancy(bookedSpans.map((one) => toClaim(offering, one))))

/** Like {@link computeRemainingCapacityInSpan}, but with an occupancy computed once for many spans. */
export const computeRemainingCapacityInOccupancy = (
  offering: Offering,
  { endsAt, startsAt }: Span,
  occupancy: Occupancy
): number => Math.max(0, offering.capacity - computePeakWeight(occupancy, startsAt, getClaimEnd(offering, endsAt)))

/** Returns a session's remaining seats. A session without its own capacity uses the capacity of its class. */
export const computeRemainingSeats = (offering: Offering, session: Session, bookedSeats: number): number =>
  Math.max(0, (session.capacity ?? offering.capacity) - bookedSeats)

/**
 * A place: a session, or an offering without sessions. Its clock keeps time from going backward there. The clocks of
 * two processes can differ, and a clock can be changed. Without a guard, a hold could expire by one clock, and its
 * place could be sold again. A process whose clock is behind could then confirm the hold, and two guests would have the
 * same seat.
 *
 * Each place (the row that is locked to sell capacity) therefore stores `judgedAt`, the latest expiry among the holds
 * that were ignored when capacity was sold there. Decisions use the later of `judgedAt` and the clock, so every process
 * treats such a hold as expired. The place does not store the clock itself: a clock that is a year ahead would expire
 * all holds there for a year (`docs/decisions/0004-capacity-rules.md`).
 */
export interface PlaceClock {
  readonly judgedAt: Instant
}

/**
 * Advances a place's clock after a decision that ignored holds with an expiry up to `lapsedAt`. Returns the same
 * object if nothing changes.
 */
export const advancePlaceClock = <Place extends PlaceClock>(place: Place, lapsedAt: Instant | null): Place =>
  lapsedAt === null || lapsedAt <= place.judgedAt ? place : { ...place, judgedAt: lapsedAt }

/** Returns the time at which to decide at these places: the current time, or the latest `judgedAt` if that is later. */
export const getDecisionTime = (now: Instant, ...places: ReadonlyArray<PlaceClock>): Instant =>
  places.reduce((latest, { judgedAt }) => judgedAt > latest ? judgedAt : latest, now)
