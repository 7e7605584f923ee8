/**
 * The rules for reminders.
 *
 * - `before_24h` is sent a day before the start, and no later than 12 hours before it. `before_2h` is sent 2 hours
 *   before the start, and no later than 30 minutes before it. `after_6h` is sent 6 hours after the end, and no later
 *   than 24 hours after it, if the outfitter has a review page. `balance` is sent `balance_due_days` before the start,
 *   and no later than a day after that, to guests who still owe money. A reminder that is too late is skipped, so that
 *   guests do not get a flood of reminders after downtime.
 * - A departure is a session, or all bookings for an offering that start at the same time. Each departure has one
 *   proposal per kind, with one reminder per guest. The guest's bookings are added when the reminder is sent.
 * - A departure with a pending weather proposal gets no reminder, because it may still be canceled.
 * - A guest gets at most one review request in 30 days. It is sent after the first trip.
 * - Guests who did not show up (`no_show`) get no thank-you.
 * - Reminders are sent once per kind, for confirmed bookings whose guests were not erased. If a booking was created
 *   after a reminder's time, the reminder is skipped, because the guest has just booked.
 */
import { formatStartTime } from "../conversation/message/formatStartTime.ts"
import { findMissingVariableNames, renderTemplate } from "../conversation/saved-reply/SavedReply.ts"
import * as Instant from "../time/Instant.ts"
import { get } from "../time/Zone.ts"
import { type Action, type ActionFacts, makeSendMessageAction, type Suggestion, toTripFacts } from "./Action.ts"
import type { AutomationSettings } from "./automationSettings.ts"
import {
  makeBalanceMessage,
  makeReminderMessage,
  makeThankYouMessage,
  type MessageSender,
  type MessageTemplate
} from "./messageTemplates.ts"
import { countGuests, groupByGuest, type Trip, type TripBooking } from "./Trip.ts"

export const reminderKinds = ["before_24h", "before_2h", "after_6h", "balance"] as const

export type ReminderKind = (typeof reminderKinds)[number]

export interface RemindableBooking extends TripBooking {
  /** The booking page URL. */
  readonly page: string
}

export interface RemindableTrip extends Trip {
  readonly parties: ReadonlyArray<RemindableBooking>
  readonly meetingPoint: string
  /** The map URL. Undefined if the offering has no coordinates. */
  readonly map: string | undefined
}

export interface ReminderFacts {
  readonly sender: MessageSender
  readonly departures: ReadonlyArray<RemindableTrip>
  /** The departures whose guests can get a balance reminder. */
  readonly balances: ReadonlyArray<RemindableTrip>
  /** The body of the saved reply for the `before_24h` reminder. Undefined if no reply is set or it no longer exists. */
  readonly reply: string | undefined
  /** The sent reminders, as `toSentReminderKey` values. */
  readonly sentReminderKeys: ReadonlySet<string>
  /** The sessions and bookings in pending weather proposals. */
  readonly doubtfulTripIds: ReadonlySet<string>
  /** The trips that started in the last 31 days. */
  readonly past: ReadonlyArray<Pick<Trip, "endsAt" | "parties">>
}

export const toSentReminderKey = (kind: ReminderKind, bookingId: string): string => `${kind} ${bookingId}`

const startMinutes = { before_24h: -24 * 60, before_2h: -2 * 60, after_6h: 6 * 60 } as const
const endMinutes = { before_24h: -12 * 60, before_2h: -30, after_6h: 24 * 60 } as const

const dayMinutes = 24 * 60

/**
 * Returns the time range in which a reminder can be sent. `balanceDays` is how many days before the start the balance
 * is due. If it is null, a proposed balance reminder can be sent until the start.
 */
export const getReminderWindow = (
  kind: ReminderKind,
  { endsAt, startsAt }: Pick<Trip, "startsAt" | "endsAt">,
  balanceDays: number | null = null
) => {
  if (kind === "balance") {
    const from = Instant.addMinutes(startsAt, -(balanceDays ?? 0) * dayMinutes)
    return { from, until: balanceDays === null ? startsAt : Instant.addMinutes(from, dayMinutes) }
  }
  const anchor = kind === "after_6h" ? endsAt : startsAt
  return { from: Instant.addMinutes(anchor, startMinutes[kind]), until: Instant.addMinutes(anchor, endMinutes[kind]) }
}

export const proposeReminders = (
  { balances, departures, doubtfulTripIds, past, sentReminderKeys, reply, sender }: ReminderFacts,
  settings: AutomationSettings["reminders"],
  now: Instant.Instant
): ReadonlyArray<Suggestion> =>
  reminderKinds.filter((kind) => isEnabled(kind, settings, sender)).flatMap((kind) =>
    (kind === "balance" ? balances : departures).flatMap((departure): ReadonlyArray<Suggestion> => {
      const { from, until } = getReminderWindow(kind, departure, settings.balance_due_days)
      if (now < from || now >= until) return []
      const parties = departure.parties.filter((
        { bookingId, confirmed, createdAt, customerId, dueCents, isNoShow, reachable }
      ) =>
        confirmed && reachable && (kind !== "balance" || dueCents > 0) && createdAt <= from &&
        !sentReminderKeys.has(toSentReminderKey(kind, bookingId)) &&
        !doubtfulTripIds.has(departure.sessionId ?? bookingId) &&
        (kind !== "after_6h" || (!isNoShow && !hasRecentTrip(customerId, departure, past)))
      )
      if (parties.length === 0) return []
      const { offering, startsAt } = departure
      return [{
        automation: "reminders",
        subject: `${kind}:${toDepartureKey(departure)}`,
        day: get(sender.timezone).dateAt(startsAt),
        title: `${titles[kind]} ${offering}, ${formatStartTime(startsAt, sender.timezone)}: ` +
          `${parties.length} booking${parties.length === 1 ? "" : "s"}`,
        sessionId: departure.sessionId,
        bookingId: null,
        data: { reminder: kind },
        actions: groupByGuest(parties).map((guestParties) =>
          makeReminder(kind, departure, guestParties, sender, reply)
        ),
        expiresAt: until
      }]
    })
  )

const isEnabled = (
  kind: ReminderKind,
  settings: AutomationSettings["reminders"],
  { reviewUrl }: MessageSender
): boolean =>
  kind === "balance"
    ? settings.balance_due_days !== null
    : settings[kind] && (kind !== "after_6h" || reviewUrl !== null)

const reviewDays = 30

/** Returns whether one of the guest's earlier trips ended within the 30 days before this departure ends. */
const hasRecentTrip = (guest: string, { endsAt }: RemindableTrip, past: ReminderFacts["past"]): boolean =>
  past.some((trip) =>
    trip.endsAt < endsAt && trip.endsAt >= Instant.addMinutes(endsAt, -reviewDays * 24 * 60) &&
    trip.parties.some(({ confirmed, customerId }) => confirmed && customerId === guest)
  )

const titles: Record<ReminderKind, string> = {
  before_24h: "Send 24-hour reminder for",
  before_2h: "Send 2-hour reminder for",
  after_6h: "Send thank-you for",
  balance: "Send balance reminder for"
}

/** Returns a departure's key: the session ID, or the offering and the start. */
const toDepartureKey = ({ offeringId, sessionId, startsAt }: Trip): string =>
  sessionId ?? `${offeringId}@${Instant.format(startsAt)}`

const makeReminder = (
  kind: ReminderKind,
  departure: RemindableTrip,
  parties: readonly [RemindableBooking, ...ReadonlyArray<RemindableBooking>],
  sender: MessageSender,
  reply: string | undefined
): Action => {
  const [party] = parties
  const message = composeReminder(kind, departure, party, sender, reply)
  const facts: ActionFacts = {
    why: kind,
    reason: `${titles[kind]} ${departure.offering}.`,
    ...toTripFacts(departure),
    ...(departure.sessionId === null ? {} : { session_id: departure.sessionId }),
    booking_id: party.bookingId,
    booking_ids: parties.map(({ bookingId }) => bookingId),
    guests: countGuests({ parties })
  }
  return { ...makeSendMessageAction(party.bookingId, message, facts), kind: "remind" }
}

const composeReminder = (
  kind: ReminderKind,
  { map, meetingPoint, offering, startsAt }: RemindableTrip,
  { page }: RemindableBooking,
  sender: MessageSender,
  reply: string | undefined
): MessageTemplate => {
  if (kind === "after_6h") return makeThankYouMessage(sender, { offering })
  if (kind === "balance") return makeBalanceMessage(sender, { offering, startsAt, page })
  const standardText = makeReminderMessage(sender, {
    offering,
    startsAt,
    map,
    meetingPoint,
    soon: kind === "before_2h"
  })
  if (kind === "before_2h" || reply === undefined) return standardText
  const values = {
    start_time: formatStartTime(startsAt, sender.timezone),
    offering,
    meeting_point: meetingPoint,
    org: sender.org,
    booking_link: page
  }
  // If a variable has no value, the standard text is sent. The first name is filled in when the reminder is sent, so it
  // always has a value.
  if (findMissingVariableNames(reply, { ...values, first_name: "there" }).length > 0) return standardText
  return { subject: standardText.subject, body: renderTemplate(reply, values) }
}
