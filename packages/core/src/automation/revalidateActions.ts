/**
 * Checks, before a proposal's actions run, which of them still apply.
 *
 * - The trip still exists, has not started, and still starts at the same time.
 * - Weather: the limit is still exceeded in the newest data. Without new data, the earlier data still counts.
 * - Few guests: the session still has too few guests, and no guest has joined it. Bookings that are no longer in the
 *   session are skipped.
 * - New session: the offering has no session at that time, and the time is not closed.
 * - Reminder: the guest can be contacted and has a confirmed booking, and the reminder is not too late. The booking's
 *   session is scheduled and is not in a pending weather proposal. Guests who did not show up get no thank-you, and
 *   guests who have paid get no balance reminder. Each reminder in a proposal is checked separately.
 *
 * Each independent action is checked again immediately before it runs, because a run can resume days later. A
 * cancellation that has started is always completed, because its guests have been notified.
 */
import type { LimitEvaluation, LimitName } from "../forecast/evaluateLimits.ts"
import * as Instant from "../time/Instant.ts"
import type { Action, ActionFacts } from "./Action.ts"
import { getReminderWindow, type ReminderKind, reminderKinds } from "./reminders.ts"

/** The current state of a booking. */
export interface BookingState {
  readonly status: "held" | "confirmed" | "cancelled"
  readonly startsAt: Instant.Instant
  readonly endsAt: Instant.Instant
  readonly sessionId: string | null
  readonly isNoShow: boolean
  /** The amount that the guest still owes, in cents. */
  readonly dueCents: number
  readonly reachable: boolean
}

/**
 * The current state of a session. `bookingIds` contains the session's live bookings if the proposal cancels the session
 * because of too few guests.
 */
export interface SessionState {
  readonly status: "scheduled" | "cancelled"
  readonly startsAt: Instant.Instant
  readonly bookingIds: ReadonlyArray<string>
}

/** The current state of the resources in a proposal. */
export interface CurrentResourceStates {
  readonly sessions: ReadonlyMap<string, SessionState>
  readonly bookings: ReadonlyMap<string, BookingState>
  /** A `toSessionStartKey` for each existing session, including canceled sessions, and for each closed start. */
  readonly unavailableStarts: ReadonlySet<string>
  /** The sessions and bookings in pending weather proposals. */
  readonly doubtfulTripIds: ReadonlySet<string>
  /** The evaluation of the trip's limits against new data. Undefined if no data is available. */
  readonly limitEvaluation: LimitEvaluation | undefined
  /** The limits that were exceeded when the proposal was created. */
  readonly violatedLimits: ReadonlyArray<LimitName>
}

export const toSessionStartKey = (offeringId: string, startsAt: Instant.Instant): string =>
  `${offeringId} ${Instant.format(startsAt)}`

/** Returns the actions that still apply, in order. */
export const revalidateActions = (
  actions: ReadonlyArray<Action>,
  currentState: CurrentResourceStates,
  now: Instant.Instant
): ReadonlyArray<Action> => {
  const [first] = actions
  if (first === undefined) return []
  switch (first.facts.why) {
    case "weather":
      return isBroken(currentState) && actions.every((action) => isTripUnchanged(action.facts, currentState, now))
        ? actions
        : []
    case "few":
      return isTripUnchanged(first.facts, currentState, now, true) ? dropStaleActions(actions, currentState) : []
    case "full":
      return actions.filter(({ facts }) => isStartFree(facts, currentState, now))
    case "see_you":
      return actions.filter(({ facts }) =>
        facts.booking_id === undefined || currentState.bookings.get(facts.booking_id)?.status === "confirmed"
      )
    case "before_24h":
    case "before_2h":
    case "after_6h":
    case "balance":
      return actions.filter(({ facts }) => isRemindable(facts, currentState, now))
  }
}

/** Returns whether the action is independent of earlier actions and must therefore be checked again before it runs. */
export const needsRevalidation = ({ facts }: Pick<Action, "facts">): boolean =>
  facts.why === "full" || isReminderReason(facts.why)

const isBroken = ({ limitEvaluation, violatedLimits }: CurrentResourceStates): boolean =>
  limitEvaluation === undefined || limitEvaluation.broken.length > 0 ||
  limitEvaluation.unknown.some((limit) => violatedLimits.includes(limit))

const parseStart = ({ starts_at }: ActionFacts): Instant.Instant | undefined =>
  starts_at === undefined ? undefined : Instant.parse(starts_at)

const isTripUnchanged = (
  facts: ActionFacts,
  { bookings, sessions }: CurrentResourceStates,
  now: Instant.Instant,
  mustHaveNoNewBookings = false
): boolean => {
  const startsAt = parseStart(facts)
  if (startsAt === undefined || startsAt <= now) return false
  if (facts.session_id !== undefined) {
    const session = sessions.get(facts.session_id)
    return session?.status === "scheduled" && session.startsAt === startsAt &&
      (!mustHaveNoNewBookings || session.bookingIds.every((id) => facts.booking_ids?.includes(id)))
  }
  const booking = bookings.get(facts.booking_id ?? "")
  return booking !== undefined && booking.status !== "cancelled" && booking.startsAt === startsAt
}

/** Removes actions on bookings that have since been canceled or moved. */
const dropStaleActions = (actions: ReadonlyArray<Action>, { bookings }: CurrentResourceStates): ReadonlyArray<Action> =>
  actions.filter(({ facts }) => {
    if (facts.booking_id === undefined) return true
    const booking = bookings.get(facts.booking_id)
    return booking !== undefined && booking.status !== "cancelled" && booking.sessionId === facts.session_id
  })

const isStartFree = (
  facts: ActionFacts,
  { unavailableStarts }: CurrentResourceStates,
  now: Instant.Instant
): boolean => {
  const startsAt = parseStart(facts)
  return startsAt !== undefined && startsAt > now &&
    !unavailableStarts.has(toSessionStartKey(facts.offering_id ?? "", startsAt))
}

export const isReminderReason = (why: ActionFacts["why"]): why is ReminderKind =>
  reminderKinds.some((kind) => kind === why)

const isRemindable = (facts: ActionFacts, current: CurrentResourceStates, now: Instant.Instant): boolean =>
  [...new Set([facts.booking_id, ...facts.booking_ids ?? []])].some((id) =>
    id !== undefined && canRemind(id, facts, current, now)
  )

const canRemind = (
  id: string,
  facts: ActionFacts,
  { bookings, doubtfulTripIds, sessions }: CurrentResourceStates,
  now: Instant.Instant
): boolean => {
  const booking = bookings.get(id)
  // When a large session is canceled, its own status changes before its bookings' statuses.
  const isSessionScheduled = (id: string | null) => id === null || sessions.get(id)?.status === "scheduled"
  return booking?.status === "confirmed" && isSessionScheduled(booking.sessionId) && booking.reachable &&
    (facts.why !== "after_6h" || !booking.isNoShow) && (facts.why !== "balance" || booking.dueCents > 0) &&
    booking.startsAt === parseStart(facts) &&
    !doubtfulTripIds.has(booking.sessionId ?? id) &&
    isReminderReason(facts.why) && now < getReminderWindow(facts.why, booking).until
}
