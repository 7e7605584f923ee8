/**
 * Whether what was true when something was proposed is true when it is to be done.
 *
 * - What it is about is still there, has not started, and starts when it did.
 * - Over the weather: the limit is still broken by the newest data. Where none comes,
 *   the data of then counts.
 * - Over few guests: the session still has fewer than it needs, and nobody has joined
 *   it since. Bookings that have left it are left out.
 * - Opening a session: none is at that time by now.
 * - A reminder: its booking is confirmed, the session of the booking is scheduled, its guest can be reached, and it is
 *   sent in time. Each of several reminders is checked separately.
 *
 * What stands alone is asked again before each is done, for whoever goes on with a run may come days after
 * it was begun. A cancellation that was begun comes to its end: its guests have been told.
 */
import type { Evaluation } from "../forecast/evaluateLimits.ts"
import type { Limit } from "../forecast/Limits.ts"
import * as Instant from "../time/Instant.ts"
import type { Action, Facts } from "./Action.ts"
import { type ReminderKind, reminderKinds, reminderWindow } from "./reminders.ts"

/**
 * A booking as it is now.
 *
 * @category models
 */
export interface BookingNow {
  readonly status: "held" | "confirmed" | "cancelled"
  readonly startsAt: Instant.Instant
  readonly endsAt: Instant.Instant
  readonly sessionId: string | null
  readonly reachable: boolean
}

/**
 * A session as it is now, with the live bookings in it where it is called off over few guests.
 *
 * @category models
 */
export interface SessionNow {
  readonly status: "scheduled" | "cancelled"
  readonly startsAt: Instant.Instant
  readonly bookingIds: ReadonlyArray<string>
}

/**
 * What is known when it is to be done.
 *
 * @category models
 */
export interface CurrentState {
  readonly sessions: ReadonlyMap<string, SessionNow>
  readonly bookings: ReadonlyMap<string, BookingNow>
  /** `<offering> <start>` of every session that is there, cancelled ones too. */
  readonly taken: ReadonlySet<string>
  /** How the trip of the proposal stands to its limits by new data; undefined where none came. */
  readonly judgement: Evaluation | undefined
  /** The limits that were broken then. */
  readonly wasBroken: ReadonlyArray<Limit>
}

/**
 * @category constructors
 */
export const takenKey = (offeringId: string, startsAt: Instant.Instant): string =>
  `${offeringId} ${Instant.format(startsAt)}`

/**
 * The actions that are to be done now, in their order: none when nothing holds any
 * more.
 *
 * @category deciding
 */
export const revalidateActions = (
  actions: ReadonlyArray<Action>,
  present: CurrentState,
  now: Instant.Instant
): ReadonlyArray<Action> => {
  const [first] = actions
  if (first === undefined) return []
  switch (first.facts.why) {
    case "weather":
      return isBroken(present) && actions.every((action) => isThere(action.facts, present, now)) ? actions : []
    case "few":
      return isThere(first.facts, present, now, true) ? withoutGone(actions, present) : []
    case "full":
      return actions.filter(({ facts }) => isOpen(facts, present, now))
    case "see_you":
      return actions
    case "before_24h":
    case "before_2h":
    case "after_6h":
      return actions.filter(({ facts }) => isRemindable(facts, present, now))
  }
}

/**
 * Whether what is done before an action does not ask for it to be done, too.
 *
 * @category predicates
 */
export const needsRevalidation = ({ facts }: Pick<Action, "facts">): boolean =>
  facts.why === "full" || isReminder(facts.why)

const isBroken = ({ judgement, wasBroken }: CurrentState): boolean =>
  judgement === undefined || judgement.broken.length > 0 || judgement.unknown.some((limit) => wasBroken.includes(limit))

const startOf = ({ starts_at }: Facts): Instant.Instant | undefined =>
  starts_at === undefined ? undefined : Instant.parse(starts_at)

const isThere = (
  facts: Facts,
  { bookings, sessions }: CurrentState,
  now: Instant.Instant,
  noneJoined = false
): boolean => {
  const startsAt = startOf(facts)
  if (startsAt === undefined || startsAt <= now) return false
  if (facts.session_id !== undefined) {
    const session = sessions.get(facts.session_id)
    return session?.status === "scheduled" && session.startsAt === startsAt &&
      (!noneJoined || session.bookingIds.every((id) => facts.booking_ids?.includes(id)))
  }
  const booking = bookings.get(facts.booking_id ?? "")
  return booking !== undefined && booking.status !== "cancelled" && booking.startsAt === startsAt
}

/** Leaves out what is about bookings that are cancelled, or have moved elsewhere by themselves. */
const withoutGone = (actions: ReadonlyArray<Action>, { bookings }: CurrentState): ReadonlyArray<Action> =>
  actions.filter(({ facts }) => {
    if (facts.booking_id === undefined) return true
    const booking = bookings.get(facts.booking_id)
    return booking !== undefined && booking.status !== "cancelled" && booking.sessionId === facts.session_id
  })

const isOpen = (facts: Facts, { taken }: CurrentState, now: Instant.Instant): boolean => {
  const startsAt = startOf(facts)
  return startsAt !== undefined && startsAt > now && !taken.has(takenKey(facts.offering_id ?? "", startsAt))
}

/**
 * @category predicates
 */
export const isReminder = (why: Facts["why"]): why is ReminderKind => reminderKinds.some((kind) => kind === why)

const isRemindable = (facts: Facts, { bookings, sessions }: CurrentState, now: Instant.Instant): boolean => {
  const booking = bookings.get(facts.booking_id ?? "")
  // A large session is canceled before its bookings are.
  const isSessionOn = (id: string | null) => id === null || sessions.get(id)?.status === "scheduled"
  return booking?.status === "confirmed" && isSessionOn(booking.sessionId) && booking.reachable &&
    booking.startsAt === startOf(facts) &&
    isReminder(facts.why) && now < reminderWindow(facts.why, booking).until
}
