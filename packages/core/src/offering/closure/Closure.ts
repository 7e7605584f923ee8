/**
 * The rule for closures. A start is closed if its local date is in the range and, if the closure has times, its wall
 * time is in `[startTime, endTime)`. No new booking can start at a closed time. Existing bookings and live holds are
 * kept.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ensureFinalPeriod } from "../../org/Orgs.ts"
import * as Event from "../../port/Event.ts"
import { invalid, type Refusal, refuse } from "../../Refusal.ts"
import * as Instant from "../../time/Instant.ts"
import * as LocalDate from "../../time/LocalDate.ts"
import * as LocalTime from "../../time/LocalTime.ts"
import type { Zone } from "../../time/Zone.ts"
import type { Position } from "../../wire/Cursor.ts"
import { withDescription } from "../../wire/Field.ts"
import { Date, exampleIds, Id, Timestamp } from "../../wire/View.ts"
import { getLocalDate } from "../listSlots.ts"
import type { OrgKey } from "../OfferingStore.ts"

/** Dates on which an outfitter accepts no new bookings, for one offering or for all offerings. */
export interface Closure {
  readonly id: string
  readonly orgId: string
  /** The first and the last date, inclusive. */
  readonly fromDate: LocalDate.LocalDate
  readonly toDate: LocalDate.LocalDate
  /** The wall times between which each date is closed, or null if the closure covers entire days. */
  readonly startTime: LocalTime.LocalTime | null
  readonly endTime: LocalTime.LocalTime | null
  /** The closed offering. Null means all of the org's offerings. */
  readonly offeringId: string | null
  /** The reason shown to guests. */
  readonly reason: string
  readonly createdAt: Instant.Instant
}

/**
 * The maximum number of dates in a closure. This limits the number of bookings that are counted while their places are
 * locked.
 */
export const maxClosureDays = 366

export const checkClosure = (closure: Closure): Either.Either<Closure, Refusal<"invalid_request">> => {
  const { endTime, fromDate, startTime, toDate } = closure
  if (toDate < fromDate) return Either.left(invalid("to_date: must not be before from_date"))
  if (toDate - fromDate >= maxClosureDays) {
    return Either.left(invalid(`to_date: a closure can last at most ${maxClosureDays} days`))
  }
  if ((startTime === null) !== (endTime === null)) {
    return Either.left(invalid("start_time: set both start_time and end_time, or neither"))
  }
  return startTime !== null && endTime !== null && endTime <= startTime
    ? Either.left(invalid("end_time: must be after start_time. For hours past midnight, use two closures."))
    : Either.right(closure)
}

/** Returns the first instant of a closure and the first instant after it. Ignores the closure's times of day. */
export const toClosureSpan = (
  { fromDate, toDate }: Pick<Closure, "fromDate" | "toDate">,
  zone: Zone
): { readonly from: Instant.Instant; readonly to: Instant.Instant } => ({
  from: zone.startOf(fromDate),
  to: zone.startOf(LocalDate.addDays(toDate, 1))
})

/**
 * Returns a function that finds the closure, if any, that covers a start of this offering. A list has many starts per
 * date and can be compared with hundreds of closures, so the function keeps the closures of the last start's date.
 */
export const makeFindClosure = (
  closures: ReadonlyArray<Closure>,
  zone: Zone,
  { id, orgId }: OrgKey
): (startsAt: Instant.Instant) => Closure | undefined => {
  let from = Instant.max
  let to = Instant.min
  let closuresOfDate: ReadonlyArray<Closure> = []
  const moveTo = (startsAt: Instant.Instant): void => {
    const date = getLocalDate(zone, startsAt)
    from = zone.startOf(date)
    to = zone.startOf(LocalDate.addDays(date, 1))
    closuresOfDate = closures.filter((closure) =>
      closure.orgId === orgId && (closure.offeringId === null || closure.offeringId === id) &&
      closure.fromDate <= date && date <= closure.toDate
    )
  }
  return (startsAt) => {
    if (startsAt < from || startsAt >= to) moveTo(startsAt)
    return closuresOfDate.find(({ endTime, startTime }) => {
      if (startTime === null || endTime === null) return true
      const { millisOfDay } = zone.wallAt(startsAt)
      return millisOfDay >= startTime * 1000 && millisOfDay < endTime * 1000
    })
  }
}

/** Returns a refusal if the start is closed. A caller with many starts creates `findClosure` once. */
export const checkStartIsOpen = (
  { closures, offering, zone }: {
    readonly closures: ReadonlyArray<Closure>
    readonly offering: OrgKey
    readonly zone: Zone
  },
  startsAt: Instant.Instant,
  findClosure = makeFindClosure(closures, zone, offering)
): Either.Either<void, Refusal<"slot_unavailable">> => {
  const closure = findClosure(startsAt)
  return closure === undefined
    ? Either.void
    : Either.left(refuse("slot_unavailable", ensureFinalPeriod(`Closed: ${closure.reason}`)))
}

/**
 * Stores closures. A closure references its org and, if it closes a single offering, an offering in the org. A write
 * that violates this rule fails as a defect.
 */
export class ClosureStore extends Context.Tag("@trailbook/core/ClosureStore")<
  ClosureStore,
  {
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<Closure>>
    /** Finds a closure and locks it until the transaction ends. */
    readonly lock: (key: OrgKey) => Effect.Effect<Option.Option<Closure>>
    /** Lists the closures with `toDate >= since` after a position, ordered by first date and ID. */
    readonly list: (query: {
      readonly orgId: string
      readonly since?: LocalDate.LocalDate | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Closure>>
    /** Returns all closures in these orgs with `toDate >= since`, in any order. */
    readonly since: (
      orgIds: ReadonlyArray<string>,
      since: LocalDate.LocalDate
    ) => Effect.Effect<ReadonlyArray<Closure>>
    readonly put: (closure: Closure) => Effect.Effect<void>
    readonly remove: (key: OrgKey) => Effect.Effect<void>
  }
>() {}

/** Returns the position of a row in a list of closures. */
export const toClosurePosition = ({ fromDate: at, id }: Closure): Position => ({ at, id })

/**
 * Returns the first date on which a closure can still affect a booking decided now. An expired hold can still be
 * confirmed for 1 day, so its start is at most 2 days ago. A local date can be 1 day before the UTC date, and 1 more
 * day is added as a margin.
 */
export const getFirstRelevantClosureDate = (now: Instant.Instant): LocalDate.LocalDate =>
  LocalDate.make(Math.floor(now / 86_400_000) - 4)

/** The API representation of a closure. Times have the format HH:MM:SS. */
export const ClosureView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.closure),
  from_date: withDescription("the first closed local date", Date, "2027-06-08"),
  to_date: withDescription("the last closed local date, inclusive", Date, "2027-06-09"),
  start_time: withDescription(
    "the local time when each date closes, or null for full-day closures",
    Schema.NullOr(Schema.String),
    "12:00"
  ),
  end_time: withDescription(
    "the local time when each date reopens, or null for full-day closures",
    Schema.NullOr(Schema.String),
    "15:00"
  ),
  offering_id: withDescription("the closed offering, or null for all offerings", Schema.NullOr(Id), null),
  reason: withDescription("the reason, shown to guests", Schema.String, "High water"),
  created_at: withDescription("when it was created", Timestamp, "2027-06-07T16:20:00.000Z")
}).annotations({ identifier: "Closure" })
export type ClosureView = typeof ClosureView.Type

export const closureView = (
  { createdAt, endTime, fromDate, id, offeringId, reason, startTime, toDate }: Closure
): ClosureView => ({
  id,
  from_date: LocalDate.format(fromDate),
  to_date: LocalDate.format(toDate),
  start_time: startTime === null ? null : LocalTime.format(startTime),
  end_time: endTime === null ? null : LocalTime.format(endTime),
  offering_id: offeringId,
  reason,
  created_at: Instant.format(createdAt)
})

export const closureEvents = [
  Event.make("closure.created", { data: ClosureView, when: "Dates are closed. Existing bookings are unaffected." }),
  Event.make("closure.deleted", { data: ClosureView, when: "Closed dates are reopened." })
] as const
