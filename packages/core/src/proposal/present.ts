import * as Effect from "effect/Effect"
import { AutomationStore } from "../automation/AutomationStore.ts"
import { complete } from "../automation/settings.ts"
import { type BookingNow, isReminder, type Present, type SessionNow, takenKey } from "../automation/stillHolds.ts"
import { limitsFor } from "../automation/weather.ts"
import { isLive } from "../booking/Booking.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { judge, type Judgement } from "../forecast/judge.ts"
import { type Limit, limitNames } from "../forecast/Limits.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { SessionStore } from "../session/SessionStore.ts"
import * as Instant from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import { signalsOf } from "./gather.ts"
import type { Proposal } from "./Proposal.ts"
import { skyReader } from "./sky.ts"
import { tripReader } from "./trips.ts"

/**
 * What is known now of what a proposal is about. `judged` asks the outside, so before
 * a unit of work; `of` reads the stores.
 *
 * @category reading
 */
export const presentReader = Effect.gen(function*() {
  const automations = yield* AutomationStore
  const bookings = yield* BookingStore
  const offerings = yield* OfferingStore
  const sessionStore = yield* SessionStore
  const sky = yield* skyReader
  const trips = yield* tripReader

  /** How the trip of a cancellation stands to its limits by new data; undefined where none came, or where it is about something else. */
  const judged = ({ actions, orgId }: Proposal): Effect.Effect<Judgement | undefined> =>
    Effect.gen(function*() {
      const facts = actions[0]?.facts
      if (facts?.why !== "weather" || facts.offering_id === undefined) return undefined
      const startsAt = Instant.parse(facts.starts_at ?? "")
      const [offering] = yield* offerings.find([{ orgId, id: facts.offering_id }])
      if (offering === undefined || startsAt === undefined) return undefined
      const now = yield* moment
      const signals = signalsOf((yield* sky.of([offering], now)).get(offering.id))
      const [found] = yield* trips.tripsIn({ orgId, from: startsAt, to: Instant.make(startsAt + 1), now }).pipe(
        Effect.map((all) =>
          all.filter(({ trip }) =>
            facts.session_id === undefined
              ? trip.parties.some(({ bookingId }) => bookingId === facts.booking_id)
              : trip.sessionId === facts.session_id
          )
        )
      )
      const set = (yield* automations.list(orgId)).find(({ automation }) => automation === "weather")
      if (found === undefined || set === undefined) return undefined
      const limits = limitsFor(complete("weather", set.settings), offering.id)
      return judge(limits, found.trip, signals.weather, signals.river)
    })

  const of = (
    { actions, data, orgId }: Proposal,
    judgement: Judgement | undefined,
    now: Instant.Instant
  ): Effect.Effect<Present> =>
    Effect.gen(function*() {
      const named = actions.flatMap(({ facts }) => facts.booking_id ?? [])
      const records = yield* bookings.find([...new Set(named)].map((id) => ({ orgId, id })))
      const reminded = actions.some(({ facts }) => isReminder(facts.why))
        ? new Set(records.flatMap(({ booking }) => booking.sessionId ?? []))
        : new Set<string>()
      const sessions = new Map(
        (yield* sessionStore.find([...reminded].map((id) => ({ orgId, id })))).map((
          { id, startsAt, status }
        ): readonly [string, SessionNow] => [id, { status, startsAt, bookingIds: [] }])
      )
      const taken = new Set<string>()
      const asksWhoJoined = actions.some(({ facts }) => facts.why === "few")
      const spans = new Map(actions.flatMap(({ facts }) => {
        const startsAt = Instant.parse(facts.starts_at ?? "")
        // A reminder depends on its booking and the session of the booking.
        return facts.offering_id === undefined || startsAt === undefined || isReminder(facts.why)
          ? []
          : [[takenKey(facts.offering_id, startsAt), { offeringId: facts.offering_id, startsAt }] as const]
      }))
      for (const { offeringId, startsAt } of spans.values()) {
        const within = { orgId, from: startsAt, to: Instant.make(startsAt + 1), now }
        for (const { session } of yield* trips.sessionsIn(within, undefined, offeringId)) {
          // Who has joined since is asked over few guests; of any others there may be thousands, and locks are held.
          const inside = asksWhoJoined
            ? (yield* trips.recordsIn(within, session.id)).filter(({ booking }) => isLive(booking, now))
            : []
          taken.add(takenKey(offeringId, session.startsAt))
          sessions.set(session.id, {
            status: session.status,
            startsAt: session.startsAt,
            bookingIds: inside.map(({ booking }) => booking.id)
          })
        }
      }
      return {
        sessions,
        bookings: new Map(records.map(({ booking, customer }): readonly [string, BookingNow] => [booking.id, {
          status: booking.status,
          startsAt: booking.startsAt,
          endsAt: booking.endsAt,
          sessionId: booking.sessionId,
          reachable: customer.email !== ""
        }])),
        taken,
        judgement,
        wasBroken: brokenIn(data)
      }
    })

  return { judged, of }
})

const brokenIn = ({ broken }: Proposal["data"]): ReadonlyArray<Limit> =>
  Array.isArray(broken) ? limitNames.filter((name) => broken.some(({ limit }) => limit === name)) : []
