/**
 * The fill rules for classes.
 *
 * - If a class's sessions on a local date are at least `full_pct` percent booked in total, each session is repeated on
 *   the next date. The new session has the same wall time and the same number of seats. A session is not repeated if a
 *   closure covers the new start or the class already has a session at that time. A canceled session counts as
 *   existing, because the outfitter chose to cancel it. No session is created within the class's notice period or
 *   beyond its horizon.
 * - If a session starts within `min_guests_hours` and has fewer guests than `min_guests`, its guests move to one other
 *   session in the same class. That session must start at most 24 hours earlier or later and have room for all guests.
 *   The nearest session is chosen. If two are equally near, the earlier one is chosen. Then the original session is
 *   canceled. If no session qualifies, the original session is canceled with its bookings.
 * - A new session stays open for `min_guests_hours` after it was created, so that guests have time to book it. If a
 *   person created the session, it stays open for at most 24 hours. If this automation created it, it stays open for
 *   the full time.
 * - A session that receives guests is not emptied, and a session that is emptied receives no guests. Sessions in
 *   pending proposals are neither emptied nor filled.
 */
import { formatStartTime } from "../conversation/message/formatStartTime.ts"
import { makeLocalTimeFormat } from "../mail/localTimeFormat.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { addLocalDays, get, type Zone } from "../time/Zone.ts"
import {
  type Action,
  type ActionFacts,
  makeCancelSessionAction,
  makeMoveBookingAction,
  makeSendMessageAction,
  makeSessionCancellation,
  type Suggestion,
  toTripFacts
} from "./Action.ts"
import type { AutomationSettings } from "./automationSettings.ts"
import { makeMovedBookingMessage, makeTooFewGuestsMessage, type MessageSender } from "./messageTemplates.ts"
import {
  canReceiveMessages,
  formatMoneyWarnings,
  groupByGuest,
  sumTripRefunds,
  type Trip,
  type TripBooking
} from "./Trip.ts"

/** A scheduled session of a class. Its parties are loaded only if it has few guests and starts soon. */
export interface FillRateSession extends Trip {
  readonly sessionId: string
  readonly booked: number
  /** The session's number of seats, or the class's default if the session does not set one. */
  readonly seats: number
  /** The session's own number of seats, or null for the class's default. */
  readonly capacity: number | null
  readonly createdAt: Instant.Instant
  /** Whether one of this automation's proposals created the session. */
  readonly isOpenedByFill: boolean
}

export interface FillRateClass {
  readonly offeringId: string
  readonly offering: string
  readonly minNoticeMinutes: number
  readonly maxAdvanceDays: number
  /** The sessions that have not started, sorted by start. */
  readonly sessions: ReadonlyArray<FillRateSession>
  /** The start times of future canceled sessions. */
  readonly cancelledStarts: ReadonlyArray<Instant.Instant>
  /** Returns whether a closure covers the class at this start time. */
  readonly isClosed: (startsAt: Instant.Instant) => boolean
}

export interface FillRateFacts {
  readonly sender: MessageSender
  readonly classes: ReadonlyArray<FillRateClass>
  /** The sessions in pending proposals. */
  readonly pendingSessionIds: ReadonlySet<string>
}

const dayMs = 24 * 60 * 60_000

export const proposeFillRateActions = (
  { classes, pendingSessionIds, sender }: FillRateFacts,
  settings: AutomationSettings["fill"],
  now: Instant.Instant
): ReadonlyArray<Suggestion> => {
  const zone = get(sender.timezone)
  return classes.flatMap((fillClass) => [
    ...proposeAdditions(fillClass, settings, { now, sender, zone }),
    ...proposeCancellations(fillClass, settings, { now, spoken: pendingSessionIds, sender, zone })
  ])
}

interface RuleContext {
  readonly now: Instant.Instant
  readonly sender: MessageSender
  readonly zone: Zone
}

const proposeAdditions = (
  fillClass: FillRateClass,
  { full_pct }: AutomationSettings["fill"],
  { now, sender, zone }: RuleContext
): ReadonlyArray<Suggestion> => {
  const existingStarts = new Set<number>([
    ...fillClass.sessions.map(({ startsAt }) => startsAt),
    ...fillClass.cancelledStarts
  ])
  const soonest = Instant.addMinutes(now, fillClass.minNoticeMinutes)
  const lastDay = LocalDate.addDays(zone.dateAt(now), fillClass.maxAdvanceDays)
  return [...groupByDate(fillClass.sessions, zone)].flatMap(([date, sessions]) => {
    const seats = sessions.reduce((sum, { seats }) => sum + seats, 0)
    const bookedSeats = sessions.reduce((sum, session) => sum + session.booked, 0)
    if (seats === 0 || bookedSeats * 100 < seats * full_pct) return []
    const nextDate = LocalDate.addDays(date, 1)
    const additions = sessions
      .map((session) => ({ session, startsAt: addLocalDays(zone, session.startsAt, 1) }))
      .filter(({ startsAt }, at, candidates) =>
        !existingStarts.has(startsAt) && !fillClass.isClosed(startsAt) && startsAt > now && startsAt >= soonest &&
        candidates.findIndex((other) => other.startsAt === startsAt) === at
      )
    const [first] = additions
    if (first === undefined || nextDate > lastDay) return []
    const clock = makeLocalTimeFormat(sender.timezone)
    const reason = `${bookedSeats} of ${seats} seats are booked on ${clock.shortDay(first.session.startsAt)}`
    return [{
      automation: "fill",
      subject: `offering:${fillClass.offeringId}`,
      day: nextDate,
      title: `Open ${fillClass.offering} on ${clock.shortDay(first.startsAt)}: ${reason}`,
      sessionId: null,
      bookingId: null,
      data: { booked: bookedSeats, seats },
      actions: additions.map(({ session, startsAt }): Action => ({
        kind: "create_session",
        op: "sessions.create",
        input: {
          offering_id: fillClass.offeringId,
          starts_at: Instant.format(startsAt),
          ...(session.capacity === null ? {} : { capacity: session.capacity })
        },
        facts: {
          why: "full",
          reason: `${reason}.`,
          ...toTripFacts({ ...fillClass, startsAt }),
          to: clock.time(startsAt)
        },
        reversible: true
      })),
      expiresAt: Instant.make(Math.min(...additions.map(({ startsAt }) => startsAt)))
    }]
  })
}

const groupByDate = (sessions: ReadonlyArray<FillRateSession>, zone: Zone) => {
  const dates = new Map<LocalDate.LocalDate, Array<FillRateSession>>()
  for (const session of sessions) {
    const date = zone.dateAt(session.startsAt)
    const group = dates.get(date)
    if (group === undefined) dates.set(date, [session])
    else group.push(session)
  }
  return dates
}

const proposeCancellations = (
  fillClass: FillRateClass,
  { min_guests, min_guests_hours }: AutomationSettings["fill"],
  { now, spoken, sender, zone }: RuleContext & { readonly spoken: ReadonlySet<string> }
): ReadonlyArray<Suggestion> => {
  if (min_guests === null) return []
  const until = Instant.addMinutes(now, min_guests_hours * 60)
  const soonest = Instant.addMinutes(now, fillClass.minNoticeMinutes)
  const sources = new Set<string>()
  // The number of guests moved into each session.
  const movedGuests = new Map<string, number>()
  const suggestions: Array<Suggestion> = []
  for (const session of fillClass.sessions.toSorted((a, b) => a.startsAt - b.startsAt)) {
    const { sessionId, startsAt } = session
    const guests = session.booked
    if (startsAt <= now || startsAt > until || guests >= min_guests) continue
    if (now < findEarliestCancelTime(session, min_guests_hours)) continue
    if (spoken.has(sessionId) || movedGuests.has(sessionId)) continue
    const target = guests === 0 ? undefined : fillClass.sessions
      .filter((other) =>
        other.sessionId !== sessionId && !fillClass.isClosed(other.startsAt) && !sources.has(other.sessionId) &&
        !spoken.has(other.sessionId) &&
        other.startsAt > now && other.startsAt >= soonest && Math.abs(other.startsAt - startsAt) <= dayMs &&
        other.seats - other.booked - (movedGuests.get(other.sessionId) ?? 0) >= guests
      )
      .toSorted((a, b) => Math.abs(a.startsAt - startsAt) - Math.abs(b.startsAt - startsAt) || a.startsAt - b.startsAt)
      .at(0)
    sources.add(sessionId)
    if (target !== undefined) movedGuests.set(target.sessionId, (movedGuests.get(target.sessionId) ?? 0) + guests)
    suggestions.push(toCancelSuggestion({ guests, min_guests, fillClass, session, target, sender, zone }))
  }
  return suggestions
}

/** Returns the earliest time at which a session can be canceled for having too few guests. */
const findEarliestCancelTime = (
  { createdAt, isOpenedByFill }: Pick<FillRateSession, "createdAt" | "isOpenedByFill">,
  hours: number
): Instant.Instant => Instant.addMinutes(createdAt, 60 * (isOpenedByFill ? hours : Math.min(hours, 24)))

const toCancelSuggestion = ({ guests, min_guests, fillClass, session, target, sender, zone }: {
  readonly guests: number
  readonly min_guests: number
  readonly fillClass: FillRateClass
  readonly session: FillRateSession
  readonly target: FillRateSession | undefined
  readonly sender: MessageSender
  readonly zone: Zone
}): Suggestion => {
  const formatTime = (instant: Instant.Instant) => formatStartTime(instant, sender.timezone)
  const reason = `${guests} of the ${min_guests} required guests booked`
  const refund_cents = target === undefined ? sumTripRefunds(session) : 0
  const facts: ActionFacts = {
    why: "few",
    reason: `${reason}.${target === undefined ? formatMoneyWarnings(session.parties) : ""}`,
    ...toTripFacts(session),
    session_id: session.sessionId,
    booking_ids: session.parties.map(({ bookingId }) => bookingId),
    guests,
    refund_cents
  }
  return {
    automation: "fill",
    subject: `session:${session.sessionId}`,
    day: zone.dateAt(session.startsAt),
    title: target === undefined
      ? `Cancel ${fillClass.offering}, ${formatTime(session.startsAt)}: ${reason}`
      : `Move ${fillClass.offering}, ${formatTime(session.startsAt)}, to ${formatTime(target.startsAt)}: ${reason}`,
    sessionId: session.sessionId,
    bookingId: null,
    data: target === undefined ? { guests } : { guests, to_session_id: target.sessionId },
    actions: target === undefined
      ? makeSessionCancellation(session.sessionId, session.parties, makeTooFewGuestsMessage(sender, session), facts)
      : [
        ...groupByGuest(session.parties).flatMap((parties) => toMoveActions(target, session, parties, facts, sender)),
        makeCancelSessionAction(session.sessionId, facts)
      ],
    expiresAt: session.startsAt
  }
}

/** Moves all of a guest's bookings, and then sends the guest one message. */
const toMoveActions = (
  target: FillRateSession,
  session: FillRateSession,
  parties: ReadonlyArray<TripBooking>,
  facts: ActionFacts,
  sender: MessageSender
): ReadonlyArray<Action> => {
  const moveFacts = { ...facts, to: Instant.format(target.startsAt) }
  const moves = parties.map(({ bookingId, quantity }) =>
    makeMoveBookingAction({ id: bookingId, session_id: target.sessionId }, {
      ...moveFacts,
      booking_id: bookingId,
      guests: quantity
    })
  )
  const recipients = parties.filter(canReceiveMessages)
  const [first] = recipients
  if (first === undefined) return moves
  const message = makeMovedBookingMessage(sender, {
    ...session,
    because: "because too few guests booked",
    to: target.startsAt
  })
  return [
    ...moves,
    makeSendMessageAction(first.bookingId, message, {
      ...moveFacts,
      booking_id: first.bookingId,
      booking_ids: recipients.map(({ bookingId }) => bookingId),
      guests: recipients.reduce((sum, { quantity }) => sum + quantity, 0)
    })
  ]
}
