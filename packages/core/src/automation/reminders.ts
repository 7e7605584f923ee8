/**
 * The reminders' rules.
 *
 * - `before_24h` comes a day before the start and may be late until 12 hours before it;
 *   `before_2h` two hours before and late until 30 minutes before; `after_6h` six hours
 *   after the end and late until 24 hours after it, if the outfitter has a place for
 *   reviews. What is later than that is left out: after a night without service nobody
 *   is flooded.
 * - A departure, that is a session or all bookings of an offering at one start, has one
 *   proposal for each kind, with one reminder for each booking.
 * - Reminded are confirmed bookings of guests who were not erased, each once for each
 *   kind, and none that was made after the moment of the reminder: who books this
 *   morning for tonight knows.
 */
import { missingIn, renderTemplate } from "../conversation/renderTemplate.ts"
import { makeLocalTimeFormat } from "../mail/localTimeFormat.ts"
import * as Instant from "../time/Instant.ts"
import { get } from "../time/Zone.ts"
import type { Action, Facts, Suggestion } from "./Action.ts"
import { tripFacts, writeTo } from "./actions.ts"
import type { Settings } from "./automationSettings.ts"
import { type MessageTemplate, reminderMessage, type Sender, thankYouMessage } from "./messageTemplates.ts"
import type { Party, Trip } from "./Trip.ts"

/**
 * @category models
 */
export const reminderKinds = ["before_24h", "before_2h", "after_6h"] as const

/**
 * @category models
 */
export type ReminderKind = (typeof reminderKinds)[number]

/**
 * @category models
 */
export interface Remindable extends Party {
  /** The guest's page of the booking. */
  readonly page: string
}

/**
 * @category models
 */
export interface Departure extends Trip {
  readonly parties: ReadonlyArray<Remindable>
  readonly meetingPoint: string
}

/**
 * @category models
 */
export interface ReminderFacts {
  readonly voice: Sender
  readonly departures: ReadonlyArray<Departure>
  /** The body of the saved reply that is sent a day before, where one is set and there. */
  readonly reply: string | undefined
  /** Who has been reminded, as `remindedKey` says it. */
  readonly reminded: ReadonlySet<string>
}

/**
 * @category constructors
 */
export const remindedKey = (kind: ReminderKind, bookingId: string): string => `${kind} ${bookingId}`

const minutes = { before_24h: -24 * 60, before_2h: -2 * 60, after_6h: 6 * 60 } as const
const late = { before_24h: -12 * 60, before_2h: -30, after_6h: 24 * 60 } as const

/**
 * From when to when a reminder of a trip may leave.
 *
 * @category calculating
 */
export const reminderWindow = (kind: ReminderKind, { endsAt, startsAt }: Pick<Trip, "startsAt" | "endsAt">) => {
  const anchor = kind === "after_6h" ? endsAt : startsAt
  return { from: Instant.addMinutes(anchor, minutes[kind]), until: Instant.addMinutes(anchor, late[kind]) }
}

/**
 * @category deciding
 */
export const propose = (
  { departures, reminded, reply, voice }: ReminderFacts,
  settings: Settings["reminders"],
  now: Instant.Instant
): ReadonlyArray<Suggestion> =>
  reminderKinds.filter((kind) => settings[kind] && (kind !== "after_6h" || voice.reviewUrl !== null)).flatMap((kind) =>
    departures.flatMap((departure): ReadonlyArray<Suggestion> => {
      const { from, until } = reminderWindow(kind, departure)
      if (now < from || now >= until) return []
      const parties = departure.parties.filter(({ bookingId, confirmed, createdAt, reachable }) =>
        confirmed && reachable && createdAt <= from && !reminded.has(remindedKey(kind, bookingId))
      )
      if (parties.length === 0) return []
      const { offering, startsAt } = departure
      return [{
        automation: "reminders",
        subject: `${kind}:${departureOf(departure)}`,
        day: get(voice.timezone).dateAt(startsAt),
        title: `${titles[kind]} ${offering}, ${makeLocalTimeFormat(voice.timezone).time(startsAt)}: ` +
          `${parties.length} guest${parties.length === 1 ? "" : "s"}`,
        sessionId: departure.sessionId,
        bookingId: null,
        data: { reminder: kind },
        actions: parties.map((party) => remind(kind, departure, party, voice, reply)),
        expiresAt: until
      }]
    })
  )

const titles: Record<ReminderKind, string> = {
  before_24h: "Remind a day before",
  before_2h: "Remind two hours before",
  after_6h: "Thank for"
}

/** A session, or an offering and a start. */
const departureOf = ({ offeringId, sessionId, startsAt }: Trip): string =>
  sessionId ?? `${offeringId}@${Instant.format(startsAt)}`

const remind = (
  kind: ReminderKind,
  departure: Departure,
  party: Remindable,
  voice: Sender,
  reply: string | undefined
): Action => {
  const words = wordingOf(kind, departure, party, voice, reply)
  const facts: Facts = {
    why: kind,
    reason: `${titles[kind]} ${departure.offering}.`,
    ...tripFacts(departure),
    ...(departure.sessionId === null ? {} : { session_id: departure.sessionId }),
    booking_id: party.bookingId,
    guests: party.quantity
  }
  return { ...writeTo(party.bookingId, words, facts), kind: "remind" }
}

const wordingOf = (
  kind: ReminderKind,
  { meetingPoint, offering, startsAt }: Departure,
  { page }: Remindable,
  voice: Sender,
  reply: string | undefined
): MessageTemplate => {
  if (kind === "after_6h") return thankYouMessage(voice, { offering })
  const own = reminderMessage(voice, { offering, startsAt, meetingPoint, soon: kind === "before_2h" })
  if (kind === "before_2h" || reply === undefined) return own
  const values = {
    start_time: makeLocalTimeFormat(voice.timezone).time(startsAt),
    offering,
    meeting_point: meetingPoint,
    org: voice.org,
    booking_link: page
  }
  // A guest gets the standard text rather than one with holes. The name of the guest is filled in when it is sent.
  if (missingIn(reply, { ...values, first_name: "there" }).length > 0) return own
  return { subject: own.subject, body: renderTemplate(reply, values) }
}
