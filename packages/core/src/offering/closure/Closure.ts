/**
 * The rule for closures. A start is closed if its local date is in the range and, if the closure has times, its wall
 * time is in `[startTime, endTime)`. No new booking can start at a closed time. Existing bookings and live holds are
 * kept.
 */
import * as Either from "effect/Either"
import { withFullStop } from "../../org/withFullStop.ts"
import { invalid, type Refusal, refuse } from "../../Refusal.ts"
import type * as Instant from "../../time/Instant.ts"
import * as LocalDate from "../../time/LocalDate.ts"
import type { LocalTime } from "../../time/LocalTime.ts"
import type { Zone } from "../../time/Zone.ts"
import type { OrgKey } from "../OfferingStore.ts"

/** Dates when an outfitter accepts no new bookings, for one offering or for all offerings. */
export interface Closure {
  readonly id: string
  readonly orgId: string
  /** The first and the last date, inclusive. */
  readonly fromDate: LocalDate.LocalDate
  readonly toDate: LocalDate.LocalDate
  /** The wall times between which each date is closed, or null if the closure covers entire days. */
  readonly startTime: LocalTime | null
  readonly endTime: LocalTime | null
  /** The closed offering. Null means all of the org's offerings. */
  readonly offeringId: string | null
  /** The reason, which guests see. */
  readonly reason: string
  readonly createdAt: Instant.Instant
}

/**
 * The maximum number of dates in a closure. The limit bounds the number of bookings that are counted while their places
 * are locked.
 */
export const maxDays = 366

export const checkClosure = (closure: Closure): Either.Either<Closure, Refusal<"invalid_request">> => {
  const { endTime, fromDate, startTime, toDate } = closure
  if (toDate < fromDate) return Either.left(invalid("to_date: must not be before from_date"))
  if (toDate - fromDate >= maxDays) return Either.left(invalid(`to_date: a closure can last at most ${maxDays} days`))
  if ((startTime === null) !== (endTime === null)) {
    return Either.left(invalid("start_time: set both start_time and end_time, or neither"))
  }
  return startTime !== null && endTime !== null && endTime <= startTime
    ? Either.left(invalid("end_time: must be after start_time. For hours past midnight, use two closures."))
    : Either.right(closure)
}

/** Returns the first instant of a closure and the first instant after it. Ignores the closure's times of day. */
export const closureSpan = (
  { fromDate, toDate }: Pick<Closure, "fromDate" | "toDate">,
  zone: Zone
): { readonly from: Instant.Instant; readonly to: Instant.Instant } => ({
  from: zone.startOf(fromDate),
  to: zone.startOf(LocalDate.addDays(toDate, 1))
})

/**
 * Returns a function that finds the closure for a start of this offering. The closures' bounds are computed once,
 * because a list can have thousands of starts.
 */
export const makeFindClosure = (
  closures: ReadonlyArray<Closure>,
  zone: Zone,
  { id, orgId }: OrgKey
): (startsAt: Instant.Instant) => Closure | undefined => {
  const bounds = closures
    .filter((closure) => closure.orgId === orgId && (closure.offeringId === null || closure.offeringId === id))
    .map((closure) => ({ closure, ...closureSpan(closure, zone) }))
  return (startsAt) =>
    bounds.find(({ closure: { endTime, startTime }, from, to }) => {
      if (startsAt < from || startsAt >= to) return false
      if (startTime === null || endTime === null) return true
      const { millisOfDay } = zone.wallAt(startsAt)
      return millisOfDay >= startTime * 1000 && millisOfDay < endTime * 1000
    })?.closure
}

/** Returns a refusal if the start is closed. */
export const checkClosures = (
  { closures, offering, zone }: {
    readonly closures: ReadonlyArray<Closure>
    readonly offering: OrgKey
    readonly zone: Zone
  },
  startsAt: Instant.Instant
): Either.Either<void, Refusal<"slot_unavailable">> => {
  const closure = makeFindClosure(closures, zone, offering)(startsAt)
  return closure === undefined
    ? Either.void
    : Either.left(refuse("slot_unavailable", withFullStop(`Closed: ${closure.reason}`)))
}
