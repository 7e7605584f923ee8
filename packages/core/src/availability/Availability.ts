import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Booking } from "../booking/Booking.ts"
import { BookingStore, type OverlapQuery } from "../booking/BookingStore.ts"
import type { PlaceFacts } from "../booking/checkPlace.ts"
import type { BookedSpan } from "../capacity/claims.ts"
import { yieldToEventLoop } from "../concurrency/scheduler.ts"
import { type Closure, ClosureStore, getFirstRelevantClosureDate } from "../offering/closure/Closure.ts"
import { type BookingLength, getBookableWindow, getLocalDate } from "../offering/listSlots.ts"
import type { Offering } from "../offering/Offering.ts"
import { Offerings } from "../offering/Offerings.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import { OrgStore } from "../org/Orgs.ts"
import { readInPages, smallRowPageSize } from "../port/readInPages.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, type Refusal } from "../Refusal.ts"
import { type BookedSession, SessionStore } from "../session/Session.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as Zone from "../time/Zone.ts"
import { listPossibleSpans, type Slot, toSessionSlots, toSlots, toSpansOverlapQuery } from "./remainingSlots.ts"

/** The maximum number of days per response. */
const maxAvailabilityDays = 366

export interface OfferingSlots {
  readonly timezone: string
  readonly slots: ReadonlyArray<Slot>
  /** The date to continue from, if the response is full. */
  readonly nextFrom: LocalDate.LocalDate | undefined
}

/** The slots that were found, and the time zone of their dates. */
export interface AvailabilityResult {
  readonly timezone: string
  /**
   * Emits the slots in chunks, sorted by start. Returns the date to continue from, if there are more slots than {@link
   * maxSlots}. Each chunk is read when it is emitted, so the chunks are not a consistent snapshot.
   */
  readonly each: (
    emit: (slots: ReadonlyArray<Slot>) => Effect.Effect<void>
  ) => Effect.Effect<LocalDate.LocalDate | undefined>
}

export interface AvailabilityQuery {
  readonly offering: OrgKey
  readonly from?: LocalDate.LocalDate | undefined
  readonly to?: LocalDate.LocalDate | undefined
  /** The number of consecutive rental periods. */
  readonly periods?: number | undefined
  /**
   * The requested number of seats, people, or items. The query is refused if this number exceeds the maximum per
   * booking. Slots with less capacity are still returned.
   */
  readonly quantity?: number | undefined
  /**
   * A booking that is being moved. The capacity that it occupies counts as free, and the slots are as long as this
   * booking.
   */
  readonly moving?: Pick<Booking, "id" | "periodMinutes" | "periods"> | undefined
  /** Facts that the caller has already read. */
  readonly known?: AvailabilityFacts | undefined
}

export interface AvailabilityFacts {
  readonly offering: Offering
  readonly org: Org
  readonly closures: ReadonlyArray<Closure>
}

/** Returns the facts that decide which places can be booked now. */
export const toPlaceFacts = ({ closures, offering, org }: AvailabilityFacts): Effect.Effect<PlaceFacts> =>
  Effect.map(currentTime, (now) => ({ offering, zone: Zone.get(org.timezone), now, closures }))

export class Availability extends Context.Tag("@trailbook/core/Availability")<
  Availability,
  {
    /** Returns the slots on the local dates `from` to `to`, both inclusive. The default is 14 days from today. */
    readonly get: (query: AvailabilityQuery) => Effect.Effect<OfferingSlots, Refusal<"not_found" | "invalid_request">>
    /** Like `get`, but emits the slots in chunks. */
    readonly find: (
      query: AvailabilityQuery
    ) => Effect.Effect<AvailabilityResult, Refusal<"not_found" | "invalid_request">>
  }
>() {
  static readonly layer = Layer.effect(Availability, Effect.suspend(() => makeAvailability))
}

const makeAvailability = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const closures = yield* ClosureStore
  const offerings = yield* Offerings
  const orgs = yield* OrgStore
  const sessions = yield* SessionStore
  const { queryAll } = yield* UnitOfWork

  /** Finds the slots in a date range, up to the response limit. */
  type Finder = Parameters<typeof streamSlots>[2]

  const findSessionSlots = (facts: PlaceFacts): Finder => ({ first, last }, maxRows) => {
    const { active, id: offeringId, orgId } = facts.offering
    const range = toInstants(facts.zone, first, last)
    const bookableRange = getBookableWindow(facts.offering, facts.zone, facts.now)
    const from = Instant.make(Math.max(range.from, bookableRange.from))
    const to = Instant.make(Math.min(range.to, bookableRange.before))
    if (!active || from >= to) return Effect.succeed([])
    return Effect.map(
      readInPages({
        limit: maxRows,
        atOnce: smallRowPageSize,
        positionOf: ({ session }: BookedSession) => ({ at: session.startsAt, id: session.id }),
        read: (after, limit) =>
          sessions.list({ orgId, offeringId, from, to, status: "scheduled", after, limit, now: facts.now })
      }),
      (rows) => toSessionSlots(facts, rows)
    )
  }

  const findSpanSlots = (facts: PlaceFacts, length: BookingLength, excludedBookingId: string | undefined): Finder => {
    const loadBookedSpans = makeLoadBookedSpans(bookings)
    return ({ first, last }, maxSpans) => {
      const spans = listPossibleSpans(facts, { ...toInstants(facts.zone, first, last), length }).slice(0, maxSpans)
      const query = toSpansOverlapQuery(facts, spans, excludedBookingId)
      return query === undefined
        ? Effect.succeed([])
        : Effect.map(loadBookedSpans(query), (bookedSpans) => toSlots(facts, spans, bookedSpans))
    }
  }

  // The queries are independent, so they share a round trip to a remote database.
  const readOffering = (key: OrgKey) =>
    Effect.flatMap(currentTime, (now) =>
      queryAll({
        offering: offerings.get(key),
        org: Effect.orDie(Effect.flatten(orgs.find(key.orgId))),
        closures: closures.since([key.orgId], getFirstRelevantClosureDate(now))
      }))

  const find: Availability["Type"]["find"] = ({ known, moving, offering: key, periods, quantity, ...dates }) =>
    Effect.gen(function*() {
      const loadedFacts = known ?? (yield* readOffering(key))
      const { offering, org } = loadedFacts
      const isRental = offering.kind === "rental"
      if (!isRental && periods !== undefined) return yield* invalid("periods: applies only to rentals")
      if (periods !== undefined && periods > offering.maxPeriods) {
        return yield* invalid(`periods: must be at most ${offering.maxPeriods} for this rental`)
      }
      if (quantity !== undefined && quantity > offering.maxPerBooking) {
        return yield* invalid(`quantity: must be at most ${offering.maxPerBooking}, the maximum per booking`)
      }
      const facts = yield* toPlaceFacts(loadedFacts)
      const first = dates.from ?? getLocalDate(facts.zone, facts.now)
      const last = dates.to ?? LocalDate.addDays(first, 13)
      if (last < first) return yield* invalid("to: must not be before from")
      if (last - first >= maxAvailabilityDays) {
        return yield* invalid(`to: the range must be at most ${maxAvailabilityDays} days`)
      }

      const length = moving ?? { periodMinutes: offering.durationMinutes, periods: periods ?? 1 }
      const makeFinder = () =>
        offering.kind === "class" ? findSessionSlots(facts) : findSpanSlots(facts, length, moving?.id)
      return {
        timezone: org.timezone,
        each: (emit) => Effect.suspend(() => streamSlots(facts.zone, { first, last }, makeFinder(), emit))
      }
    })

  return Availability.of({
    find,
    get: (query) =>
      Effect.gen(function*() {
        const { each, timezone } = yield* find(query)
        const slots: Array<Slot> = []
        const nextFrom = yield* each((chunk) =>
          Effect.sync(() => {
            for (const slot of chunk) slots.push(slot)
          })
        )
        return { timezone, slots, nextFrom }
      })
  })
})

const toInstants = (zone: Zone.Zone, first: LocalDate.LocalDate, last: LocalDate.LocalDate) => ({
  from: zone.startOf(first),
  to: zone.startOf(LocalDate.addDays(last, 1))
})

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
      const bookedSpans = result?.bookedSpans ?? []
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

/** The maximum number of slots per response. */
export const maxSlots = 10_000

/** The target size for a chunk. A chunk of this size takes about 3 ms of CPU time from the query to the last byte. */
const targetChunkSlots = 2000

const firstDays = 14

/** The dates that a response covers, both inclusive. */
interface DateRange {
  readonly first: LocalDate.LocalDate
  readonly last: LocalDate.LocalDate
}

/**
 * Emits the slots for a date range in chunks, sorted by start, so that other requests can run between chunks. Returns
 * the date to continue from if the response is full. `find` returns the slots in a range of dates. It can stop after
 * `maxRows` slots, one more than the response can still hold.
 *
 * - A chunk consists of complete local dates. The first chunk covers two weeks, the range that most callers request.
 *   Each later chunk covers as many dates as are likely to have {@link targetChunkSlots} slots.
 * - A response ends with the last complete date that fits into {@link maxSlots}, and contains the date to continue
 *   from. Only a class can have more slots than this on a single date. In that case, the first slots of that date are
 *   listed, and the next response starts at the next date.
 */
export const streamSlots = (
  zone: Zone.Zone,
  { first, last }: DateRange,
  find: (dates: DateRange, maxRows: number) => Effect.Effect<ReadonlyArray<Slot>>,
  emit: (slots: ReadonlyArray<Slot>) => Effect.Effect<void>
): Effect.Effect<LocalDate.LocalDate | undefined> => {
  const emitFrom = (
    begin: LocalDate.LocalDate,
    days: number,
    count: number
  ): Effect.Effect<LocalDate.LocalDate | undefined> => {
    const end = LocalDate.make(Math.min(begin + days - 1, last))
    const limit = maxSlots - count
    return Effect.flatMap(find({ first: begin, last: end }, limit + 1), (slots) => {
      if (slots.length > limit) return emitLastChunk(begin, slots, limit, count)
      const next = LocalDate.addDays(end, 1)
      return Effect.zipRight(
        emit(slots),
        next > last
          ? Effect.succeed(undefined)
          : Effect.zipRight(yieldToEventLoop, emitFrom(next, computeNextDays(days, slots.length), count + slots.length))
      )
    })
  }

  const emitLastChunk = (begin: LocalDate.LocalDate, slots: ReadonlyArray<Slot>, limit: number, count: number) => {
    const date = findDate(zone, begin, slots[limit])
    const completeSlots = slots.slice(0, limit).filter(({ startsAt }) => startsAt < zone.startOf(date))
    if (count + completeSlots.length > 0) return Effect.as(emit(completeSlots), date)
    const next = LocalDate.addDays(date, 1)
    return Effect.as(emit(slots.slice(0, limit)), next > last ? undefined : next)
  }

  return emitFrom(first, firstDays, 0)
}

/**
 * Returns the number of dates for the next chunk. The number grows by at most a factor of 4, so that a season after a
 * gap is not computed in one chunk.
 */
const computeNextDays = (days: number, slots: number): number =>
  Math.max(1, Math.floor(Math.min(days * targetChunkSlots / Math.max(1, slots), days * 4)))

/**
 * Returns the local date on which a slot starts. A date ends at the start of the next date, regardless of clock
 * changes.
 */
const findDate = (zone: Zone.Zone, begin: LocalDate.LocalDate, slot: Slot | undefined): LocalDate.LocalDate => {
  let date = begin
  if (slot === undefined) return date
  while (zone.startOf(LocalDate.addDays(date, 1)) <= slot.startsAt) {
    date = LocalDate.addDays(date, 1)
  }
  return date
}
