/**
 * The weather rules.
 *
 * - Trips that start within `look_ahead_hours` are checked. An offering's limits override the limits in `default`. Null
 *   removes a default limit. A trip without limits is not checked.
 * - A trip that exceeds a limit is canceled. Missing data never counts as exceeding a limit, so it never causes a
 *   cancellation (`forecast/evaluateLimits.ts`).
 * - A class session is canceled after a message to all of its guests. An appointment or rental booking is canceled,
 *   unless the action is "move". A moved booking gets the same wall time on the first of the next 14 days that has free
 *   capacity and a complete forecast within the limits. If no day qualifies, the booking is canceled.
 * - A trip without guests is also canceled, so that it can no longer be booked.
 */
import { formatStartTime } from "../conversation/message/formatStartTime.ts"
import { evaluateLimits, hasAnyLimit, limitNames, type LimitViolation } from "../forecast/evaluateLimits.ts"
import type { HourlyForecast, RiverReading, SignalUnavailable } from "../forecast/Signals.ts"
import * as Instant from "../time/Instant.ts"
import { addLocalDays, get, type Zone } from "../time/Zone.ts"
import {
  type Action,
  type ActionFacts,
  makeCancelBookingAction,
  makeMoveBookingAction,
  makeSendMessageAction,
  makeSessionCancellation,
  type Suggestion,
  toTripFacts
} from "./Action.ts"
import { type AutomationSettings, defaultLookAheadHours, type WeatherLimitSettings } from "./automationSettings.ts"
import { formatGuestReason, formatReason, joinList } from "./formatConditions.ts"
import { makeCancellationMessage, makeMovedBookingMessage, type MessageSender } from "./messageTemplates.ts"
import {
  canReceiveMessages,
  countGuests,
  formatMoneyWarnings,
  sumTripRefunds,
  toProposalSubject,
  type Trip,
  type TripBooking
} from "./Trip.ts"

/** A trip with its weather, and the other times when its offering has free capacity. */
export interface WeatherTrip extends Trip {
  readonly weather: HourlyForecast | SignalUnavailable
  readonly river: RiverReading | SignalUnavailable
  /**
   * The offering's start times in the next 14 days with room for the trip's booking. Loaded only if the trip can be
   * moved.
   */
  readonly openStarts: ReadonlyArray<Instant.Instant>
}

export interface WeatherFacts {
  readonly sender: MessageSender
  readonly trips: ReadonlyArray<WeatherTrip>
}

/** The maximum number of days by which a trip can be postponed. */
const moveWithinDays = 14

export const proposeWeatherActions = (
  { trips, sender }: WeatherFacts,
  settings: AutomationSettings["weather"],
  now: Instant.Instant
): ReadonlyArray<Suggestion> => {
  const zone = get(sender.timezone)
  return trips.flatMap((trip) => {
    const limits = getOfferingWeatherLimits(settings, trip.offeringId)
    if (!isInLookAheadWindow(limits, trip, now)) return []
    const { broken } = evaluateLimits(limits, trip, trip.weather, trip.river)
    if (broken.length === 0) return []
    return [suggest({ broken, limits, trip, sender, zone })]
  })
}

/** Returns an offering's limits. */
export const getOfferingWeatherLimits = (
  settings: AutomationSettings["weather"],
  offeringId: string
): WeatherLimitSettings => ({
  ...settings.default,
  ...settings.offerings[offeringId]
})

/** Returns whether a trip with these limits is checked now. */
export const isInLookAheadWindow = (
  limits: WeatherLimitSettings,
  { startsAt }: Pick<Trip, "startsAt">,
  now: Instant.Instant
): boolean => {
  const hours = getLookAheadHours(limits)
  return hours > 0 && startsAt > now && startsAt <= Instant.addMinutes(now, hours * 60)
}

/** Returns how many hours ahead a trip with these limits is checked, or 0 if none are set. */
export const getLookAheadHours = (limits: WeatherLimitSettings): number =>
  hasAnyLimit(limits, limitNames) ? limits.look_ahead_hours ?? defaultLookAheadHours : 0

interface UnsafeTrip {
  readonly broken: ReadonlyArray<LimitViolation>
  readonly limits: WeatherLimitSettings
  readonly trip: WeatherTrip
  readonly sender: MessageSender
  readonly zone: Zone
}

const suggest = (unsafeTrip: UnsafeTrip): Suggestion => {
  const { broken, trip, sender, zone } = unsafeTrip
  const [party] = trip.parties
  const reason = joinList(broken.map((one) => formatReason(one, sender.units)))
  const newStart = trip.sessionId === null && unsafeTrip.limits.action === "move"
    ? findSafeStart(unsafeTrip)
    : undefined
  const formatTime = (instant: Instant.Instant) => formatStartTime(instant, sender.timezone)
  const tripText = `${trip.offering}, ${formatTime(trip.startsAt)}`
  return {
    automation: "weather",
    subject: toProposalSubject(trip),
    day: zone.dateAt(trip.startsAt),
    title: newStart === undefined
      ? `Cancel ${tripText}: ${reason}`
      : `Move ${tripText}, to ${formatTime(newStart)}: ${reason}`,
    sessionId: trip.sessionId,
    bookingId: trip.sessionId === null ? party?.bookingId ?? null : null,
    data: { broken, attribution: toAttributions(trip) },
    actions: trip.sessionId === null
      ? party === undefined ? [] : toBookingActions(unsafeTrip, party, reason, newStart)
      : toSessionActions(unsafeTrip, trip.sessionId, reason),
    expiresAt: trip.startsAt
  }
}

const toSessionActions = (
  { broken, trip, sender }: UnsafeTrip,
  sessionId: string,
  reason: string
): ReadonlyArray<Action> => {
  const refund_cents = sumTripRefunds(trip)
  const facts: ActionFacts = {
    why: "weather",
    reason: `Because of ${reason}.${formatMoneyWarnings(trip.parties)}`,
    ...toTripFacts(trip),
    session_id: sessionId,
    booking_ids: trip.parties.map(({ bookingId }) => bookingId),
    guests: countGuests(trip),
    refund_cents
  }
  const message = makeCancellationMessage(sender, { ...trip, because: formatReasons(broken) })
  return makeSessionCancellation(sessionId, trip.parties, message, facts)
}

const toBookingActions = (
  { broken, trip, sender }: UnsafeTrip,
  party: TripBooking,
  reason: string,
  to: Instant.Instant | undefined
): ReadonlyArray<Action> => {
  const facts: ActionFacts = {
    why: "weather",
    reason: `Because of ${reason}.${to === undefined ? formatMoneyWarnings([party]) : ""}`,
    ...toTripFacts(trip),
    booking_id: party.bookingId,
    guests: party.quantity,
    ...(to === undefined ? { refund_cents: party.refundCents } : { to: Instant.format(to) })
  }
  const message = to === undefined
    ? makeCancellationMessage(sender, { ...trip, because: formatReasons(broken) })
    : makeMovedBookingMessage(sender, { ...trip, because: `because of ${formatReasons(broken)}`, to })
  const change = to === undefined
    ? makeCancelBookingAction(party.bookingId, facts)
    : makeMoveBookingAction({ id: party.bookingId, starts_at: Instant.format(to) }, facts)
  return canReceiveMessages(party) ? [change, makeSendMessageAction(party.bookingId, message, facts)] : [change]
}

/** Returns the same wall time on the first later date that has free capacity and a forecast within the limits. */
const findSafeStart = ({ limits, trip, zone }: UnsafeTrip): Instant.Instant | undefined => {
  const length = trip.endsAt - trip.startsAt
  for (let days = 1; days <= moveWithinDays; days++) {
    const startsAt = addLocalDays(zone, trip.startsAt, days)
    if (!trip.openStarts.includes(startsAt)) continue
    const laterTrip = { startsAt, endsAt: Instant.make(startsAt + length) }
    const { broken, unknown } = evaluateLimits(limits, laterTrip, trip.weather, trip.river)
    if (broken.length === 0 && unknown.length === 0) return startsAt
  }
  return undefined
}

const formatReasons = (violations: ReadonlyArray<LimitViolation>): string => joinList(violations.map(formatGuestReason))

const toAttributions = ({ river, weather }: WeatherTrip) =>
  [weather, river].flatMap((signal) => signal._tag === "NoSignal" ? [] : [signal.attribution])
