import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Offering } from "../offering/Offering.ts"
import { type Key, OfferingStore } from "../offering/OfferingStore.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import type { Session } from "../session/Session.ts"
import { SessionStore } from "../session/SessionStore.ts"
import * as Instant from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import { BookingStore, type Departing } from "./BookingStore.ts"
import { weight } from "./target.ts"

/**
 * What leaves together: a session with or without guests, or a start of anything else that has some.
 *
 * @category models
 */
export interface Departure {
  /** That of the session; of anything else, that of one of its bookings. */
  readonly id: string
  readonly offering: Offering
  /** Null for what has no sessions. */
  readonly session: Session | null
  readonly startsAt: Instant.Instant
  readonly endsAt: Instant.Instant
  /** Seats, parties or items, as the offering counts them. */
  readonly capacity: number
  /** How much of that is booked, holds included. */
  readonly booked: number
  /** How much of it holds keep. */
  readonly held: number
  readonly bookings: number
  /** People or items, holds included. */
  readonly quantity: number
}

/**
 * @category models
 */
export interface Departed {
  /** By start, at most as many as were asked for. */
  readonly departures: ReadonlyArray<Departure>
  /** Whether there are more within the span than one answer has. */
  readonly isCut: boolean
}

/**
 * @category services
 */
export class Departures extends Context.Tag("@trailbook/core/Departures")<
  Departures,
  {
    /** Those with `from <= startsAt < to`, the first {@link maxDepartures} of them. */
    readonly within: (
      orgId: string,
      span: { readonly from: Instant.Instant; readonly to: Instant.Instant }
    ) => Effect.Effect<Departed>
    /** The one of a session, or the one that a booking is part of. */
    readonly get: (key: Key) => Effect.Effect<Departure, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(
    Departures,
    Effect.gen(function*() {
      const bookings = yield* BookingStore
      const offerings = yield* OfferingStore
      const sessions = yield* SessionStore
      const { snapshot } = yield* UnitOfWork

      const offeringsBy = (orgId: string, ids: Iterable<string>) =>
        Effect.map(
          offerings.find([...new Set(ids)].map((id) => ({ orgId, id }))),
          (found) => new Map(found.map((one) => [one.id, one]))
        )

      return Departures.of({
        within: (orgId, { from, to }) =>
          snapshot(Effect.gen(function*() {
            const now = yield* moment
            const limit = maxDepartures + 1
            const groups = yield* bookings.departing({ orgId, from, to, now, limit })
            const scheduled = yield* sessions.list({
              orgId,
              from,
              to,
              now,
              limit,
              offeringId: undefined,
              status: "scheduled",
              after: undefined
            })
            const own = groups.filter(({ sessionId }) => sessionId === null)
            const inSession = new Map(groups.map((group) => [group.sessionId, group]))
            const known = yield* offeringsBy(orgId, [
              ...own.map(({ offeringId }) => offeringId),
              ...scheduled.map(({ session }) => session.offeringId)
            ])
            const all = [
              ...scheduled.map(({ session }) => ({ session, group: inSession.get(session.id) })),
              ...own.map((group) => ({ session: null, group }))
            ].flatMap(({ group, session }) => {
              const offering = known.get(session?.offeringId ?? group?.offeringId ?? "")
              return offering === undefined ? [] : [departureOf(offering, session, group)]
            }).filter((one) => one !== undefined).toSorted((a, b) =>
              a.startsAt - b.startsAt || (a.offering.name < b.offering.name ? -1 : 1)
            )
            return { departures: all.slice(0, maxDepartures), isCut: all.length > maxDepartures }
          })),
        get: (key) =>
          snapshot(Effect.gen(function*() {
            const now = yield* moment
            const [record] = yield* bookings.find([key])
            const [session = null] = yield* sessions.find([
              record === undefined ? key : { orgId: key.orgId, id: record.booking.sessionId ?? "" }
            ])
            const place = session ?? record?.booking
            if (place === undefined) return yield* notFound("departure", key.id)
            const { offeringId, orgId, startsAt } = place
            const known = yield* offeringsBy(orgId, [offeringId])
            const groups = yield* bookings.departing({
              orgId,
              from: startsAt,
              to: Instant.make(startsAt + 1),
              now,
              limit: maxDepartures
            })
            const group = groups.find((one) => one.offeringId === offeringId && one.sessionId === (session?.id ?? null))
            const offering = known.get(offeringId)
            const { endsAt } = place
            // Where all have cancelled there is still the booking that was asked for.
            const nobodys = { ...nobody, offeringId, sessionId: null, startsAt, endsAt, firstId: key.id }
            const found = offering && departureOf(offering, session, group ?? nobodys)
            return found ?? (yield* notFound("departure", key.id))
          }))
      })
    })
  )
}

/**
 * How many departures one answer has.
 *
 * @category constants
 */
export const maxDepartures = 1000

const nobody = { bookings: 0, quantity: 0, heldBookings: 0, heldQuantity: 0 }

/** Undefined where there is neither a session nor a booking. */
const departureOf = (
  offering: Offering,
  session: Session | null,
  group: Departing | undefined
): Departure | undefined => {
  const place = session ?? group
  const id = session?.id ?? group?.firstId
  if (place === undefined || id === undefined) return undefined
  const { bookings, heldBookings, heldQuantity, quantity } = group ?? nobody
  // A party is one, however many people it has.
  const isPerParty = weight(offering, 2) === 1
  return {
    id,
    offering,
    session,
    startsAt: place.startsAt,
    endsAt: place.endsAt,
    capacity: session?.capacity ?? offering.capacity,
    booked: isPerParty ? bookings : quantity,
    held: isPerParty ? heldBookings : heldQuantity,
    bookings,
    quantity
  }
}
