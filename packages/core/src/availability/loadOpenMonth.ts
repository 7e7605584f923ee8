/** Loads the days of a month that have starts, and the starts on one day, for a booking calendar. */
import * as Effect from "effect/Effect"
import { getBookingWeight } from "../booking/checkPlace.ts"
import { type Closure, ClosureStore } from "../offering/closure/Closure.ts"
import { getBookableWindow, getLocalDate } from "../offering/listSlots.ts"
import type { Offering } from "../offering/Offering.ts"
import { Offerings } from "../offering/Offerings.ts"
import type { Org } from "../org/Org.ts"
import { Orgs } from "../org/Orgs.ts"
import type { Extras, Party } from "../pricing/Pricing.ts"
import { computeBookableQuantity, countPlaces } from "../pricing/quote.ts"
import type { Refusal } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as Zone from "../time/Zone.ts"
import { Availability, type AvailabilityQuery } from "./Availability.ts"
import { NextAvailability, type NoAvailabilityExplanation } from "./NextAvailability.ts"
import type { Slot } from "./remainingSlots.ts"

interface OpenMonthQuery extends Pick<AvailabilityQuery, "offering" | "periods" | "quantity"> {
  /** The party. Overrides the quantity if set. */
  readonly party?: Party | undefined
  readonly extras?: Extras | undefined
  /** Any date in the month. The default is the month of `date`, or else the month of the first start with capacity. */
  readonly month?: LocalDate.LocalDate | undefined
  /** The day whose starts are returned. The default is the first day in the month with capacity. */
  readonly date: LocalDate.LocalDate | undefined
}

export interface OpenMonth {
  readonly org: Org
  readonly offering: Offering
  readonly party: Party | undefined
  readonly extras: Extras | undefined
  /**
   * The party's number of spots or, without a party, the smallest bookable quantity that covers the request. Never
   * exceeds the maximum per booking.
   */
  readonly quantity: number
  readonly periods: number
  readonly today: LocalDate.LocalDate
  /** The first day of the month. */
  readonly month: LocalDate.LocalDate
  /** The last date that can be booked. */
  readonly horizon: LocalDate.LocalDate
  /** The days with starts, sorted by date. */
  readonly days: ReadonlyArray<OpenDay>
  readonly date: LocalDate.LocalDate | undefined
  /** The month's closures from today on, sorted by first date. */
  readonly closures: ReadonlyArray<Closure>
  /** The starts on `date`. */
  readonly slots: ReadonlyArray<Slot>
  /** Set if no start in the month has capacity for the quantity. */
  readonly nothingFree: NoAvailabilityExplanation | undefined
}

interface OpenDay {
  readonly date: LocalDate.LocalDate
  /** The number of starts with capacity for the quantity. */
  readonly starts: number
  /** The highest remaining capacity of any start. */
  readonly remaining: number
}

export const makeLoadOpenMonth = Effect.gen(function*() {
  const availability = yield* Availability
  const closures = yield* ClosureStore
  const offerings = yield* Offerings
  const orgs = yield* Orgs
  const nextAvailable = yield* NextAvailability

  /** Reads all slots in a date range, in as many responses as necessary. */
  const loadSlots = (
    query: AvailabilityQuery & { readonly from: LocalDate.LocalDate; readonly to: LocalDate.LocalDate }
  ) =>
    Effect.gen(function*() {
      const all: Array<Slot> = []
      let from: LocalDate.LocalDate | undefined = query.from
      while (from !== undefined && from <= query.to) {
        const { nextFrom, slots }: { nextFrom: LocalDate.LocalDate | undefined; slots: ReadonlyArray<Slot> } =
          yield* availability.get({ ...query, from })
        for (const slot of slots) all.push(slot)
        from = nextFrom
      }
      return all
    })

  return (
    { date, extras, month: requestedMonth, party, ...selection }: OpenMonthQuery
  ): Effect.Effect<OpenMonth, Refusal<"not_found" | "invalid_request">> =>
    Effect.gen(function*() {
      const org = yield* orgs.get(selection.offering.orgId)
      const offering = yield* offerings.get(selection.offering)
      const places = party === undefined
        ? computeBookableQuantity(offering.pricing, selection.quantity ?? 1)
        : Math.max(1, countPlaces(offering.pricing, party))
      const quantity = Math.min(places, offering.maxPerBooking)
      const periods = offering.kind === "rental" ? Math.min(selection.periods ?? 1, offering.maxPeriods) : 1
      const query = { ...selection, quantity, periods: offering.kind === "rental" ? periods : undefined }
      const zone = Zone.get(org.timezone)
      const now = yield* currentTime
      const today = getLocalDate(zone, now)
      const soonest = requestedMonth === undefined && date === undefined
        ? yield* nextAvailable.next(query)
        : undefined
      const targetDate = requestedMonth ?? date ?? (soonest === undefined ? today : zone.dateAt(soonest.startsAt))
      const first = LocalDate.firstOfMonth(targetDate)
      const last = LocalDate.addDays(LocalDate.firstOfMonth(LocalDate.addDays(first, 31)), -1)
      const from = LocalDate.make(Math.max(first, today))
      const range = { ...query, from, to: last }
      const slots = last < today ? [] : yield* loadSlots(range)
      const neededCapacity = getBookingWeight(offering, quantity)
      const days = groupByDate(zone, slots, neededCapacity)
      const firstOpenDay = days.find(({ starts }) => starts > 0)
      const selectedDate = date ?? firstOpenDay?.date
      const closureRows = yield* closures.since([org.id], from)
      return {
        org,
        offering,
        party,
        extras,
        quantity,
        periods,
        today,
        month: first,
        horizon: zone.dateAt(getBookableWindow(offering, zone, now).before),
        days,
        closures: closureRows
          .filter((one) => one.fromDate <= last && (one.offeringId ?? offering.id) === offering.id)
          .toSorted((a, b) => a.fromDate - b.fromDate),
        date: selectedDate,
        slots: selectedDate === undefined
          ? []
          : slots.filter(({ startsAt }) => zone.dateAt(startsAt) === selectedDate),
        nothingFree: firstOpenDay !== undefined || last < today
          ? undefined
          : yield* nextAvailable.explainNoAvailability(range, slots)
      }
    })
})

/** Groups slots by date. The slots are sorted by start, so the slots for a date are adjacent. */
const groupByDate = (zone: Zone.Zone, slots: ReadonlyArray<Slot>, neededCapacity: number): ReadonlyArray<OpenDay> => {
  const days: Array<{ date: LocalDate.LocalDate; starts: number; remaining: number }> = []
  for (const { remaining, startsAt } of slots) {
    const date = zone.dateAt(startsAt)
    let day = days.at(-1)
    if (day?.date !== date) {
      day = { date, starts: 0, remaining: 0 }
      days.push(day)
    }
    if (remaining >= neededCapacity) day.starts++
    day.remaining = Math.max(day.remaining, remaining)
  }
  return days
}
