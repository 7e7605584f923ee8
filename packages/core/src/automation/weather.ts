/**
 * The weather rules.
 *
 * - Looked at are the trips that start within `look_ahead_hours`. Their limits are
 *   those of `default`, each replaced by the offering's own where it has one; null
 *   there takes the default's away. A trip without limits is left alone.
 * - A trip with a broken limit is cancelled. Data that is missing breaks none, so a
 *   trip is never cancelled over what nobody knows (`forecast/judge.ts`).
 * - A session of a class is cancelled, with a message to everybody in it before. A
 *   booking of an appointment or a rental is cancelled; with the action "move" it moves
 *   to the same wall time on the first of the next 14 days that has room and a forecast
 *   which is known to keep to the limits, and is cancelled when there is none.
 * - A trip that nobody is on is cancelled too, for nobody is to book it.
 */
import { evaluateLimits, type LimitViolation } from "../forecast/evaluateLimits.ts"
import type { Hours } from "../forecast/Forecast.ts"
import { isSet, limitNames } from "../forecast/Limits.ts"
import type { River } from "../forecast/RiverGauge.ts"
import type { SignalUnavailable } from "../forecast/SignalUnavailable.ts"
import { makeLocalTimeFormat } from "../mail/localTimeFormat.ts"
import * as Instant from "../time/Instant.ts"
import { addLocalDays, get, type Zone } from "../time/Zone.ts"
import type { Action, Facts, Suggestion } from "./Action.ts"
import { cancelBooking, cancelSession, moveBooking, tripFacts, writeTo, writeToAll } from "./actions.ts"
import { defaultLookAheadHours, type LimitSettings, type Settings } from "./automationSettings.ts"
import { formatReason, guestReason, joinList } from "./formatReason.ts"
import { cancellationMessage, movedMessage, type Sender } from "./messageTemplates.ts"
import { countGuests, isTold, type Party, totalRefunds, type Trip, tripSubject } from "./Trip.ts"

/**
 * A trip, what is known of its weather, and when else its offering has room.
 *
 * @category models
 */
export interface WeatherTrip extends Trip {
  readonly weather: Hours | SignalUnavailable
  readonly river: River | SignalUnavailable
  /** Starts of the same offering in the next 14 days with room for the trip's booking; asked for where it may move. */
  readonly openStarts: ReadonlyArray<Instant.Instant>
}

/**
 * @category models
 */
export interface WeatherFacts {
  readonly voice: Sender
  readonly trips: ReadonlyArray<WeatherTrip>
}

/** How many days after its own a trip may move to. */
const moveWithinDays = 14

/**
 * @category deciding
 */
export const propose = (
  { trips, voice }: WeatherFacts,
  settings: Settings["weather"],
  now: Instant.Instant
): ReadonlyArray<Suggestion> => {
  const zone = get(voice.timezone)
  return trips.flatMap((trip) => {
    const limits = limitsFor(settings, trip.offeringId)
    if (!isLookedAt(limits, trip, now)) return []
    const { broken } = evaluateLimits(limits, trip, trip.weather, trip.river)
    if (broken.length === 0) return []
    return [suggest({ broken, limits, trip, voice, zone })]
  })
}

/**
 * The limits of an offering.
 *
 * @category getters
 */
export const limitsFor = (settings: Settings["weather"], offeringId: string): LimitSettings => ({
  ...settings.default,
  ...settings.offerings[offeringId]
})

/**
 * Whether a trip with these limits is looked at now.
 *
 * @category predicates
 */
export const isLookedAt = (
  limits: LimitSettings,
  { startsAt }: Pick<Trip, "startsAt">,
  now: Instant.Instant
): boolean => {
  const hours = lookAheadHours(limits)
  return hours > 0 && startsAt > now && startsAt <= Instant.addMinutes(now, hours * 60)
}

/**
 * How far ahead a trip with these limits is looked at; 0 where it has none.
 *
 * @category getters
 */
export const lookAheadHours = (limits: LimitSettings): number =>
  isSet(limits, limitNames) ? limits.look_ahead_hours ?? defaultLookAheadHours : 0

interface Call {
  readonly broken: ReadonlyArray<LimitViolation>
  readonly limits: LimitSettings
  readonly trip: WeatherTrip
  readonly voice: Sender
  readonly zone: Zone
}

const suggest = (call: Call): Suggestion => {
  const { broken, trip, voice, zone } = call
  const [party] = trip.parties
  const reason = joinList(broken.map((one) => formatReason(one, voice.units)))
  const to = trip.sessionId === null && call.limits.action === "move" ? fairStart(call) : undefined
  const what = `${trip.offering}, ${makeLocalTimeFormat(voice.timezone).time(trip.startsAt)}`
  return {
    automation: "weather",
    subject: tripSubject(trip),
    day: zone.dateAt(trip.startsAt),
    title: to === undefined ? `Cancel ${what}: ${reason}` : `Move ${what}: ${reason}`,
    sessionId: trip.sessionId,
    bookingId: trip.sessionId === null ? party?.bookingId ?? null : null,
    data: { broken, attribution: attributionsOf(trip) },
    actions: trip.sessionId === null
      ? party === undefined ? [] : forBooking(call, party, reason, to)
      : forSession(call, trip.sessionId, reason),
    expiresAt: trip.startsAt
  }
}

const forSession = ({ broken, trip, voice }: Call, sessionId: string, reason: string): ReadonlyArray<Action> => {
  const refund_cents = totalRefunds(trip)
  const facts: Facts = {
    why: "weather",
    reason: `Cancelled: ${reason}.`,
    ...tripFacts(trip),
    session_id: sessionId,
    booking_ids: trip.parties.map(({ bookingId }) => bookingId),
    guests: countGuests(trip),
    refund_cents
  }
  const words = cancellationMessage(voice, { ...trip, because: because(broken) })
  const cancel = cancelSession(sessionId, facts)
  // Only those who are still in it can be written to together, so the message goes first.
  return trip.parties.some(isTold) ? [writeToAll({ session_id: sessionId }, words, facts), cancel] : [cancel]
}

const forBooking = (
  { broken, trip, voice }: Call,
  party: Party,
  reason: string,
  to: Instant.Instant | undefined
): ReadonlyArray<Action> => {
  const facts: Facts = {
    why: "weather",
    reason: `${to === undefined ? "Cancelled" : "Moved"}: ${reason}.`,
    ...tripFacts(trip),
    booking_id: party.bookingId,
    guests: party.quantity,
    ...(to === undefined ? { refund_cents: party.refundCents } : { to: Instant.format(to) })
  }
  const words = to === undefined
    ? cancellationMessage(voice, { ...trip, because: because(broken) })
    : movedMessage(voice, { ...trip, because: because(broken), to })
  const change = to === undefined
    ? cancelBooking(party.bookingId, facts)
    : moveBooking({ id: party.bookingId, starts_at: Instant.format(to) }, facts)
  return isTold(party) ? [change, writeTo(party.bookingId, words, facts)] : [change]
}

/** The same wall time on the first later date with room and a fair forecast. */
const fairStart = ({ limits, trip, zone }: Call): Instant.Instant | undefined => {
  const length = trip.endsAt - trip.startsAt
  for (let days = 1; days <= moveWithinDays; days++) {
    const startsAt = addLocalDays(zone, trip.startsAt, days)
    if (!trip.openStarts.includes(startsAt)) continue
    const later = { startsAt, endsAt: Instant.make(startsAt + length) }
    const { broken, unknown } = evaluateLimits(limits, later, trip.weather, trip.river)
    if (broken.length === 0 && unknown.length === 0) return startsAt
  }
  return undefined
}

const because = (broken: ReadonlyArray<LimitViolation>): string => joinList(broken.map(guestReason))

const attributionsOf = ({ river, weather }: WeatherTrip) =>
  [weather, river].flatMap((asked) => asked._tag === "NoSignal" ? [] : [asked.attribution])
