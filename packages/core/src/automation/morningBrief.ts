/**
 * The rules for the morning brief.
 *
 * - One brief is created per local day, at `brief_hour` or later. After downtime, the brief is created late, but only
 *   on the same day.
 * - The brief contains the day's trips, guests without a reply, the weather for each trip or why it is unknown,
 *   exceeded limits, and failed deliveries.
 * - With `see_you`, the brief proposes a message to all guests whose trip starts later today. A guest who gets a 2-hour
 *   reminder within an hour of the message is left out, and the others then get separate messages.
 */
import type { LimitViolation } from "../forecast/evaluateLimits.ts"
import {
  formatSignalUnavailable,
  type HourlyForecast,
  type RiverReading,
  type SignalUnavailable
} from "../forecast/Signals.ts"
import { makeLocalTimeFormat } from "../mail/localTimeFormat.ts"
import type { UnitSystem } from "../org/units.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { get } from "../time/Zone.ts"
import { makeSendBroadcastAction, makeSendMessageAction, type Suggestion } from "./Action.ts"
import type { AutomationSettings } from "./automationSettings.ts"
import { formatReason } from "./formatConditions.ts"
import { makeSeeYouMessage, type MessageSender } from "./messageTemplates.ts"
import { canReceiveMessages, countGuests, groupByGuest, type Trip } from "./Trip.ts"

export interface BriefTrip extends Trip {
  /** `weather` is undefined if the offering has no coordinates, and `river` if it has no gauge. */
  readonly weather: HourlyForecast | SignalUnavailable | undefined
  readonly river: RiverReading | SignalUnavailable | undefined
  /** The weather automation's limits that the trip exceeds. */
  readonly broken: ReadonlyArray<LimitViolation>
}

/** A conversation whose last message is from the guest. */
export interface UnansweredConversation {
  readonly conversationId: string
  readonly since: Instant.Instant
}

export interface BriefFacts {
  readonly sender: MessageSender
  /** The hour of the brief, from 0 to 23. */
  readonly briefHour: number
  /** The trips that start on the current local date, ordered by start. */
  readonly trips: ReadonlyArray<BriefTrip>
  readonly unanswered: ReadonlyArray<UnansweredConversation>
  /** When the message to the guests is sent: now, or when quiet hours end. */
  readonly seeYouAt: Instant.Instant
  /** Whether guests get a reminder 2 hours before the start. */
  readonly hasReminders: boolean
}

export const proposeBrief = (
  { briefHour, hasReminders, seeYouAt, trips, unanswered, sender }: BriefFacts,
  { see_you }: AutomationSettings["brief"],
  now: Instant.Instant
): ReadonlyArray<Suggestion> => {
  const zone = get(sender.timezone)
  const day = zone.dateAt(now)
  if (now < zone.instantAt(day, briefHour * 3600)) return []
  const guests = trips.reduce((sum, trip) => sum + countGuests(trip), 0)
  const upcomingTrips = trips.filter(({ parties, startsAt }) => startsAt > now && parties.some(canReceiveMessages))
  const isReminded = ({ startsAt }: Trip) => hasReminders && startsAt <= Instant.addMinutes(seeYouAt, 3 * 60)
  const remindedIds = new Set(
    upcomingTrips.filter(isReminded).flatMap(({ parties }) => parties).map(({ customerId }) => customerId)
  )
  const message = makeSeeYouMessage(sender)
  const facts = { why: "see_you", reason: "Send a message to all of today's guests.", guests } as const
  const messageActions = upcomingTrips.length === 0
    ? []
    : remindedIds.size === 0
    ? [makeSendBroadcastAction({ date: LocalDate.format(day) }, message, facts)]
    : groupByGuest(
      upcomingTrips.flatMap(({ parties }) => parties).filter((one) =>
        canReceiveMessages(one) && !remindedIds.has(one.customerId)
      )
    )
      .map(([first, ...otherParties]) =>
        makeSendMessageAction(first.bookingId, message, {
          why: "see_you",
          reason: "Send a message to today's guests.",
          booking_id: first.bookingId,
          guests: countGuests({ parties: [first, ...otherParties] })
        })
      )
  return [{
    automation: "brief",
    subject: "day",
    day,
    title:
      `${makeLocalTimeFormat(sender.timezone).shortDay(now)}: ${formatCount(trips.length, "trip")}, ${
        formatCount(guests, "guest")
      }` +
      (unanswered.length === 0 ? "" : `, ${unanswered.length} unanswered`),
    sessionId: null,
    bookingId: null,
    data: {
      trips: trips.map(toTripData),
      unanswered: unanswered.map(({ conversationId, since }) => ({
        conversation_id: conversationId,
        since: Instant.format(since)
      })),
      weather: toWeatherData(trips, sender)
    },
    actions: see_you ? messageActions : [],
    expiresAt: zone.startOf(LocalDate.addDays(day, 1))
  }]
}

const formatCount = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`

const toTripData = (trip: BriefTrip) => ({
  offering: trip.offering,
  starts_at: Instant.format(trip.startsAt),
  ends_at: Instant.format(trip.endsAt),
  session_id: trip.sessionId,
  bookings: trip.parties.length,
  guests: countGuests(trip)
})

/** Returns the weather and river conditions for each trip with coordinates or a gauge. */
const toWeatherData = (trips: ReadonlyArray<BriefTrip>, { units }: MessageSender) =>
  trips.flatMap((trip) =>
    trip.weather === undefined && trip.river === undefined
      ? []
      : [{ offering: trip.offering, starts_at: Instant.format(trip.startsAt), ...getTripConditions(trip, units) }]
  )

/** Returns the weather and the river conditions during a trip, with the data's attribution. */
export const getTripConditions = (
  { broken, endsAt, river, startsAt, weather }: Pick<BriefTrip, "broken" | "endsAt" | "river" | "startsAt" | "weather">,
  units: UnitSystem
) => {
  const hours = weather?._tag === "Hours"
    ? weather.hours.filter(({ from, to }) => from < endsAt && to > startsAt)
    : []
  return {
    outside_limits: broken.map((one) => formatReason(one, units)),
    temp_c: findRange(hours.map(({ tempC }) => tempC)),
    wind_kph: findMax(hours.map(({ windKph }) => windKph)),
    gust_kph: findMax(hours.map(({ gustKph }) => gustKph)),
    precip_pct: findMax(hours.map(({ precipPct }) => precipPct)),
    thunder: hours.some(({ thunder }) => thunder === true),
    flow_cfs: river?._tag === "River" ? river.flowCfs?.value ?? null : null,
    gage_ft: river?._tag === "River" ? river.gageFt?.value ?? null : null,
    missing: [weather, river].flatMap((signal) => signal?._tag === "NoSignal" ? [formatSignalUnavailable(signal)] : []),
    attribution: [weather, river].flatMap((signal) =>
      signal === undefined || signal._tag === "NoSignal" ? [] : [signal.attribution]
    )
  }
}

const dropNulls = (values: ReadonlyArray<number | null>) => values.filter((value) => value !== null)

const findMax = (values: ReadonlyArray<number | null>): number | null => {
  const numbers = dropNulls(values)
  return numbers.length === 0 ? null : Math.max(...numbers)
}

const findRange = (values: ReadonlyArray<number | null>): readonly [number, number] | null => {
  const numbers = dropNulls(values)
  return numbers.length === 0 ? null : [Math.min(...numbers), Math.max(...numbers)]
}
