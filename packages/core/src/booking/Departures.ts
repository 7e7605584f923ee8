import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Offering } from "../offering/Offering.ts"
import { OfferingStore, type OrgKey } from "../offering/OfferingStore.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import { type Session, SessionStore } from "../session/Session.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { BookingStore, type DepartureTotals } from "./BookingStore.ts"
import { getBookingWeight } from "./checkPlace.ts"

/** A departure: a session with or without guests, or a start of an appointment or rental that has bookings. */
export interface Departure {
  /** The session ID, or the ID of one of the bookings if there is no session. */
  readonly id: string
  readonly offering: Offering
  /** Null for appointments and rentals. */
  readonly session: Session | null
  readonly startsAt: Instant.Instant
  readonly endsAt: Instant.Instant
  /** The number of seats, parties, or items, depending on the kind of offering. */
  readonly capacity: number
  /** The booked part of the capacity, including holds. */
  readonly booked: number
  /** The held part of the capacity. */
  readonly held: number
  /** The number of people or items, including holds. */
  readonly quantity: number
}

export interface DeparturePage {
  /** The departures, sorted by start, up to the limit. */
  readonly departures: ReadonlyArray<Departure>
  /** Whether the span contains more departures than fit in one response. */
  readonly isCut: boolean
}

export class Departures extends Context.Tag("@trailbook/core/Departures")<
  Departures,
  {
    /** Returns the first {@link maxDepartures} departures with `from <= startsAt < to`. */
    readonly within: (
      orgId: string,
      span: { readonly from: Instant.Instant; readonly to: Instant.Instant }
    ) => Effect.Effect<DeparturePage>
    /** Finds a departure by its session or by one of its bookings. */
    readonly get: (key: OrgKey) => Effect.Effect<Departure, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(Departures, Effect.suspend(() => makeDepartures))
}

const makeDepartures = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const offerings = yield* OfferingStore
  const sessions = yield* SessionStore
  const { queryAll, snapshot } = yield* UnitOfWork

  const loadOfferingsById = (orgId: string, ids: Iterable<string>) =>
    Effect.map(
      offerings.find([...new Set(ids)].map((id) => ({ orgId, id }))),
      (rows) => new Map(rows.map((one) => [one.id, one]))
    )

  return Departures.of({
    within: (orgId, { from, to }) =>
      snapshot(Effect.gen(function*() {
        const now = yield* currentTime
        const span = { orgId, from, to, now }
        const limit = maxDepartures + 1
        const { heldSeats, scheduledSessions, starts } = yield* queryAll({
          starts: bookings.listDepartures({ ...span, limit }),
          scheduledSessions: sessions.list({ ...span, limit, status: "scheduled" }),
          heldSeats: bookings.heldSeats(span)
        })
        const heldBySession = new Map(heldSeats.map((one) => [one.sessionId, one.quantity]))
        const offeringsById = yield* loadOfferingsById(orgId, [
          ...starts.map(({ offeringId }) => offeringId),
          ...scheduledSessions.map(({ session }) => session.offeringId)
        ])
        const allDepartures = [
          ...scheduledSessions.flatMap(({ booked, session }) => {
            const offering = offeringsById.get(session.offeringId)
            return offering === undefined
              ? []
              : [toSessionDeparture(offering, session, booked, heldBySession.get(session.id) ?? 0)]
          }),
          ...starts.flatMap((start) => {
            const offering = offeringsById.get(start.offeringId)
            return offering === undefined ? [] : [toStartDeparture(offering, start)]
          })
        ].toSorted((a, b) => a.startsAt - b.startsAt || (a.offering.name < b.offering.name ? -1 : 1))
        return { departures: allDepartures.slice(0, maxDepartures), isCut: allDepartures.length > maxDepartures }
      })),
    get: (key) =>
      snapshot(Effect.gen(function*() {
        const now = yield* currentTime
        const { orgId } = key
        const [record] = yield* bookings.find([key])
        const booking = record?.booking
        const [session] = yield* sessions.find([{ orgId, id: booking?.sessionId ?? key.id }])
        const place = session ?? booking
        const offering = place && (yield* loadOfferingsById(orgId, [place.offeringId])).get(place.offeringId)
        if (place === undefined || offering === undefined) return yield* notFound("departure", key.id)
        const { endsAt, startsAt } = place
        const span = { orgId, from: startsAt, to: Instant.make(startsAt + 1), now }
        if (session !== undefined) {
          const [seats] = yield* sessions.countBookedSeats([{ orgId, id: session.id, now }])
          const row = (yield* bookings.heldSeats(span)).find(({ sessionId }) => sessionId === session.id)
          return toSessionDeparture(offering, session, seats?.booked ?? 0, row?.quantity ?? 0)
        }
        const starts = yield* bookings.listDepartures({ ...span, limit: maxDepartures })
        const start = starts.find(({ offeringId }) => offeringId === offering.id)
        // Even if all bookings at this start are canceled, the requested booking still defines the departure.
        return toStartDeparture(offering, start ?? { ...noBookings, startsAt, endsAt, firstId: key.id })
      }))
  })
})

/** The maximum number of departures per response. */
export const maxDepartures = 1000

const noBookings = { bookings: 0, quantity: 0, heldBookings: 0, heldQuantity: 0 }

const toSessionDeparture = (
  offering: Offering,
  session: Session,
  bookedSeats: number,
  heldSeats: number
): Departure => ({
  id: session.id,
  offering,
  session,
  startsAt: session.startsAt,
  endsAt: session.endsAt,
  capacity: session.capacity ?? offering.capacity,
  booked: bookedSeats,
  held: heldSeats,
  quantity: bookedSeats
})

const toStartDeparture = (offering: Offering, start: Omit<DepartureTotals, "offeringId">): Departure => {
  const { bookings, endsAt, firstId, heldBookings, heldQuantity, quantity, startsAt } = start
  // An appointment's capacity counts parties, regardless of their size.
  const isPerParty = getBookingWeight(offering, 2) === 1
  return {
    id: firstId,
    offering,
    session: null,
    startsAt,
    endsAt,
    capacity: offering.capacity,
    booked: isPerParty ? bookings : quantity,
    held: isPerParty ? heldBookings : heldQuantity,
    quantity
  }
}
