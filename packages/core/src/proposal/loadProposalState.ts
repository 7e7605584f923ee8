import * as Effect from "effect/Effect"
import { AutomationStore } from "../automation/Automation.ts"
import { applyDefaultSettings } from "../automation/automationSettings.ts"
import {
  type BookingState,
  type CurrentResourceStates,
  isReminderReason,
  type SessionState,
  toSessionStartKey
} from "../automation/revalidateActions.ts"
import { getOfferingWeatherLimits } from "../automation/weatherRules.ts"
import { computeBalance } from "../booking/balance.ts"
import { isLive } from "../booking/Booking.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { getContactEmail } from "../customer/Customer.ts"
import { evaluateLimits, type LimitEvaluation, type LimitName, limitNames } from "../forecast/evaluateLimits.ts"
import { ClosureStore, getFirstRelevantClosureDate, makeFindClosure } from "../offering/closure/Closure.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/Orgs.ts"
import { SessionStore } from "../session/Session.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as Zone from "../time/Zone.ts"
import { findDoubtfulTripIds, maxPendingProposalsToRead, toWeatherSignals } from "./collectSuggestions.ts"
import { type Proposal, ProposalStore } from "./Proposal.ts"
import { makeFindBouncedCustomers, makeTripReader, makeWeatherReader } from "./trips.ts"

/**
 * Loads the current state for a proposal. `judged` calls external services, so it runs outside transactions. `of` reads
 * only the database.
 */
export const makeProposalStateLoader = Effect.gen(function*() {
  const automations = yield* AutomationStore
  const bookings = yield* BookingStore
  const closures = yield* ClosureStore
  const findBounced = yield* makeFindBouncedCustomers
  const proposals = yield* ProposalStore
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const sessionStore = yield* SessionStore
  const weatherReader = yield* makeWeatherReader
  const trips = yield* makeTripReader

  /**
   * Reevaluates the trip that a weather proposal would cancel, using current data. Returns undefined if no data is
   * available or the proposal is not based on the weather.
   */
  const evaluateProposal = ({ actions, orgId }: Proposal): Effect.Effect<LimitEvaluation | undefined> =>
    Effect.gen(function*() {
      const facts = actions[0]?.facts
      if (facts?.why !== "weather" || facts.offering_id === undefined) return undefined
      const startsAt = Instant.parse(facts.starts_at ?? "")
      const [offering] = yield* offerings.find([{ orgId, id: facts.offering_id }])
      if (offering === undefined || startsAt === undefined) return undefined
      const now = yield* currentTime
      const signals = toWeatherSignals((yield* weatherReader.of([offering], now)).get(offering.id))
      const [lookup] = yield* trips.tripsIn({ orgId, from: startsAt, to: Instant.make(startsAt + 1), now }).pipe(
        Effect.map((all) =>
          all.filter(({ trip }) =>
            facts.session_id === undefined
              ? trip.parties.some(({ bookingId }) => bookingId === facts.booking_id)
              : trip.sessionId === facts.session_id
          )
        )
      )
      const weatherAutomation = (yield* automations.list(orgId)).find(({ automation }) => automation === "weather")
      if (lookup === undefined || weatherAutomation === undefined) return undefined
      const limits = getOfferingWeatherLimits(applyDefaultSettings("weather", weatherAutomation.settings), offering.id)
      return evaluateLimits(limits, lookup.trip, signals.weather, signals.river)
    })

  const loadState = (
    { actions, data, orgId }: Proposal,
    limitEvaluation: LimitEvaluation | undefined,
    now: Instant.Instant
  ): Effect.Effect<CurrentResourceStates> =>
    Effect.gen(function*() {
      const bookingIds = actions.flatMap(({ facts }) => [
        ...facts.booking_id === undefined ? [] : [facts.booking_id],
        ...isReminderReason(facts.why) ? facts.booking_ids ?? [] : []
      ])
      const records = yield* bookings.find([...new Set(bookingIds)].map((id) => ({ orgId, id })))
      const hasReminders = actions.some(({ facts }) => isReminderReason(facts.why))
      const reminderSessionIds = hasReminders
        ? new Set(records.flatMap(({ booking }) => booking.sessionId ?? []))
        : new Set<string>()
      const sessions = new Map(
        (yield* sessionStore.find([...reminderSessionIds].map((id) => ({ orgId, id })))).map((
          { id, startsAt, status }
        ): readonly [string, SessionState] => [id, { status, startsAt, bookingIds: [] }])
      )
      const takenKeys = new Set<string>()
      const needsBookings = actions.some(({ facts }) => facts.why === "few")
      const spans = new Map(actions.flatMap(({ facts }) => {
        const startsAt = Instant.parse(facts.starts_at ?? "")
        // A reminder depends on its booking and the booking's session.
        return facts.offering_id === undefined || startsAt === undefined || isReminderReason(facts.why)
          ? []
          : [[toSessionStartKey(facts.offering_id, startsAt), { offeringId: facts.offering_id, startsAt }] as const]
      }))
      const closureRows = spans.size === 0 ? [] : yield* closures.since([orgId], getFirstRelevantClosureDate(now))
      const zone = Zone.get((yield* Effect.orDie(Effect.flatten(orgs.find(orgId)))).timezone)
      for (const { offeringId, startsAt } of spans.values()) {
        const isClosed = makeFindClosure(closureRows, zone, { orgId, id: offeringId })(startsAt) !== undefined
        if (isClosed) takenKeys.add(toSessionStartKey(offeringId, startsAt))
        const filter = { orgId, from: startsAt, to: Instant.make(startsAt + 1), now }
        for (const { session } of yield* trips.sessionsIn(filter, undefined, offeringId)) {
          // Load the bookings only when canceling a session with few guests. Other sessions can have thousands of
          // bookings, and locks are held at this point.
          const liveRecords = needsBookings
            ? (yield* trips.recordsIn(filter, session.id)).filter(({ booking }) => isLive(booking, now))
            : []
          takenKeys.add(toSessionStartKey(offeringId, session.startsAt))
          sessions.set(session.id, {
            status: session.status,
            startsAt: session.startsAt,
            bookingIds: liveRecords.map(({ booking }) => booking.id)
          })
        }
      }
      const bouncedIds = hasReminders
        ? yield* findBounced(orgId, records.map(({ customer }) => customer.id))
        : new Set()
      return {
        sessions,
        bookings: new Map(records.map(({ booking, customer }): readonly [string, BookingState] => [booking.id, {
          status: booking.status,
          startsAt: booking.startsAt,
          endsAt: booking.endsAt,
          sessionId: booking.sessionId,
          isNoShow: booking.attendance?.status === "no_show",
          dueCents: computeBalance(booking).dueCents,
          reachable: getContactEmail(customer) !== "" && !bouncedIds.has(customer.id)
        }])),
        unavailableStarts: takenKeys,
        doubtfulTripIds: hasReminders
          ? findDoubtfulTripIds(
            yield* proposals.list({ orgId, status: "pending", automation: "weather", limit: maxPendingProposalsToRead })
          )
          : new Set(),
        limitEvaluation,
        violatedLimits: parseBrokenLimits(data)
      }
    })

  return { judged: evaluateProposal, of: loadState }
})

const parseBrokenLimits = ({ broken }: Proposal["data"]): ReadonlyArray<LimitName> =>
  Array.isArray(broken) ? limitNames.filter((name) => broken.some(({ limit }) => limit === name)) : []
