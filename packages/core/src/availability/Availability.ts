import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Booking } from "../booking/Booking.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import type { PlaceFacts } from "../booking/checkPlace.ts"
import type { Offering } from "../offering/Offering.ts"
import { Offerings } from "../offering/Offerings.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { bookable, type Length, localToday } from "../offering/slots.ts"
import type { Org } from "../org/Org.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { QueryConcurrency } from "../port/QueryConcurrency.ts"
import { readInPages, smallRowPageSize } from "../port/readInPages.ts"
import { invalid, type Refusal } from "../Refusal.ts"
import { type BookedSession, SessionStore } from "../session/SessionStore.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as Zone from "../time/Zone.ts"
import { makeLoadBookedSpans } from "./loadBookedSpans.ts"
import { overlapQuery, possibleSpans, type Slot, slotsOfSessions, toSlots } from "./remainingSlots.ts"
import { streamSlots } from "./slotsInChunks.ts"

/** The most days that one answer covers. */
export const maxDays = 366

export interface OfferingSlots {
  readonly timezone: string
  readonly slots: ReadonlyArray<Slot>
  /** Where to go on, when there are more than one answer holds. */
  readonly nextFrom: LocalDate.LocalDate | undefined
}

/** What was found: the zone that its dates are in, and its slots. */
export interface AvailabilityResult {
  readonly timezone: string
  /**
   * Tells the slots, by start, some at a time, and answers with the date to go on
   * with when there are more than {@link maxSlots}. Each few are of the moment at
   * which they are told.
   */
  readonly each: (
    tell: (slots: ReadonlyArray<Slot>) => Effect.Effect<void>
  ) => Effect.Effect<LocalDate.LocalDate | undefined>
}

export interface AvailabilityQuery {
  readonly offering: OrgKey
  readonly from?: LocalDate.LocalDate | undefined
  readonly to?: LocalDate.LocalDate | undefined
  /** Rentals: how many periods in a row. */
  readonly periods?: number | undefined
  /** How many seats, people or items are wanted; refused when one booking cannot have as many. It leaves nothing out. */
  readonly quantity?: number | undefined
  /** For a booking that moves: what is left as if it were not there, for the length that it keeps. */
  readonly moving?: Pick<Booking, "id" | "periodMinutes" | "periods"> | undefined
  /** Who has read the offering and its org just now need not have them read again. */
  readonly known?: AvailabilityFacts | undefined
}

export interface AvailabilityFacts {
  readonly offering: Offering
  readonly org: Org
}

export class Availability extends Context.Tag("@trailbook/core/Availability")<
  Availability,
  {
    /** What starts on the local dates `from` to `to`, both included; the next 14 days when left out. */
    readonly get: (query: AvailabilityQuery) => Effect.Effect<OfferingSlots, Refusal<"not_found" | "invalid_request">>
    /** The same, told some slots at a time. */
    readonly find: (
      query: AvailabilityQuery
    ) => Effect.Effect<AvailabilityResult, Refusal<"not_found" | "invalid_request">>
  }
>() {
  static readonly layer = Layer.effect(
    Availability,
    Effect.gen(function*() {
      const bookings = yield* BookingStore
      const offerings = yield* Offerings
      const orgs = yield* OrgStore
      const sessions = yield* SessionStore
      const all = yield* QueryConcurrency

      /** What starts on some dates, as far as it is listed in one answer. */
      type Finder = Parameters<typeof streamSlots>[2]

      const ofSessions = (facts: PlaceFacts): Finder => ({ first, last }, most) => {
        const { active, id: offeringId, orgId } = facts.offering
        const wanted = instantsOf(facts.zone, first, last)
        const open = bookable(facts.offering, facts.zone, facts.now)
        const from = Instant.make(Math.max(wanted.from, open.from))
        const to = Instant.make(Math.min(wanted.to, open.before))
        if (!active || from >= to) return Effect.succeed([])
        return Effect.map(
          readInPages({
            limit: most,
            atOnce: smallRowPageSize,
            positionOf: ({ session }: BookedSession) => ({ at: session.startsAt, id: session.id }),
            read: (after, limit) =>
              sessions.list({ orgId, offeringId, from, to, status: "scheduled", after, limit, now: facts.now })
          }),
          (scheduled) => slotsOfSessions(facts, scheduled)
        )
      }

      const ofSpans = (facts: PlaceFacts, length: Length, except: string | undefined): Finder => {
        const takenBy = makeLoadBookedSpans(bookings)
        return ({ first, last }, most) => {
          const spans = possibleSpans(facts, { ...instantsOf(facts.zone, first, last), length }).slice(0, most)
          const query = overlapQuery(facts, spans, except)
          return query === undefined
            ? Effect.succeed([])
            : Effect.map(takenBy(query), (taken) => toSlots(facts, spans, taken))
        }
      }

      // Neither needs the other, and a database across a network is asked once instead of twice.
      const read = (key: OrgKey) =>
        all({ offering: offerings.get(key), org: Effect.orDie(Effect.flatten(orgs.find(key.orgId))) })

      const find: Availability["Type"]["find"] = ({ known, moving, offering: key, periods, quantity, ...dates }) =>
        Effect.gen(function*() {
          const { offering, org } = known ?? (yield* read(key))
          const rental = offering.kind === "rental"
          if (!rental && periods !== undefined) return yield* invalid("periods: is for rentals only")
          if (periods !== undefined && periods > offering.maxPeriods) {
            return yield* invalid(`periods: must be at most ${offering.maxPeriods} for this rental`)
          }
          if (quantity !== undefined && quantity > offering.maxPerBooking) {
            return yield* invalid(`quantity: must be at most ${offering.maxPerBooking}, the most in one booking`)
          }
          const facts: PlaceFacts = { offering, zone: Zone.get(org.timezone), now: yield* currentTime }
          const first = dates.from ?? localToday(facts.zone, facts.now)
          const last = dates.to ?? LocalDate.addDays(first, 13)
          if (last < first) return yield* invalid("to: must not be before from")
          if (last - first >= maxDays) return yield* invalid(`to: from and to must span at most ${maxDays} days`)

          const length = moving ?? { periodMinutes: offering.durationMinutes, periods: periods ?? 1 }
          const finder = () => offering.kind === "class" ? ofSessions(facts) : ofSpans(facts, length, moving?.id)
          return {
            timezone: org.timezone,
            each: (tell) => Effect.suspend(() => streamSlots(facts.zone, { first, last }, finder(), tell))
          }
        })

      return Availability.of({
        find,
        get: (query) =>
          Effect.gen(function*() {
            const { each, timezone } = yield* find(query)
            const slots: Array<Slot> = []
            const nextFrom = yield* each((some) =>
              Effect.sync(() => {
                for (const slot of some) slots.push(slot)
              })
            )
            return { timezone, slots, nextFrom }
          })
      })
    })
  )
}

const instantsOf = (zone: Zone.Zone, first: LocalDate.LocalDate, last: LocalDate.LocalDate) => ({
  from: zone.startOf(first),
  to: zone.startOf(LocalDate.addDays(last, 1))
})
