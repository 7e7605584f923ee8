/** Collects the facts for each automation and applies its rules. Runs outside transactions and writes nothing. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { findResourceId, type Suggestion } from "../automation/Action.ts"
import { type Automation, type AutomationName, AutomationStore } from "../automation/Automation.ts"
import { applyDefaultSettings, type WeatherLimitSettings } from "../automation/automationSettings.ts"
import { findQuietHoursEnd } from "../automation/autonomyLimits.ts"
import * as fill from "../automation/fillRateRules.ts"
import type { MessageSender } from "../automation/messageTemplates.ts"
import * as brief from "../automation/morningBrief.ts"
import * as reminders from "../automation/reminders.ts"
import type { Trip } from "../automation/Trip.ts"
import * as weather from "../automation/weatherRules.ts"
import { Availability } from "../availability/Availability.ts"
import type { Place } from "../booking/Booking.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { needsReply } from "../conversation/Conversation.ts"
import { ConversationStore } from "../conversation/ConversationStore.ts"
import { SavedReplyStore } from "../conversation/saved-reply/SavedReply.ts"
import { evaluateLimits } from "../forecast/evaluateLimits.ts"
import { makeSignalUnavailable } from "../forecast/Signals.ts"
import { getMapUrl, toMeetingPoint } from "../mail/MeetingPoint.ts"
import { ClosureStore, getFirstRelevantClosureDate, makeFindClosure } from "../offering/closure/Closure.ts"
import type { Org } from "../org/Org.ts"
import { getUnits } from "../org/units.ts"
import { deriveIdempotencyKey, RequestKeys } from "../port/idempotency.ts"
import { Ids } from "../port/Ids.ts"
import { PublicUrl } from "../port/PublicUrl.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { get } from "../time/Zone.ts"
import { type Proposal, ProposalStore } from "./Proposal.ts"
import {
  makeFindBouncedCustomers,
  makeTripReader,
  makeWeatherReader,
  toTripBooking,
  type TripWithRecords,
  type WeatherData
} from "./trips.ts"

type Rule = (org: Org, automation: Automation, now: Instant.Instant) => Effect.Effect<ReadonlyArray<Suggestion>>

const toMinutes = (hours: number) => hours * 60

/** The maximum length, in days, of a trip that gets an automatic thank-you message. */
const maxTripDays = 31

/** How many days in advance sessions are created. */
const fillDays = 60

export const makeSuggestionCollector = Effect.gen(function*() {
  const automations = yield* AutomationStore
  const availability = yield* Availability
  const bookings = yield* BookingStore
  const closures = yield* ClosureStore
  const findBounced = yield* makeFindBouncedCustomers
  const conversations = yield* ConversationStore
  const ids = yield* Ids
  const requestKeys = yield* RequestKeys
  const proposals = yield* ProposalStore
  const publicUrl = yield* PublicUrl
  const savedReplyStore = yield* SavedReplyStore
  const weatherReader = yield* makeWeatherReader
  const trips = yield* makeTripReader

  /**
   * Finds the moved bookings whose guests were already reminded of the earlier departure, either for the moved booking
   * or for another of their bookings on that departure. Bookings that were never moved need no search, because their
   * departure has one proposal per kind of reminder.
   */
  const loadRemindedKeys = (lookups: ReadonlyArray<TripWithRecords>) => {
    const movedRecords = lookups.flatMap(({ records }) => records).filter(({ booking }) => booking.previous !== null)
    return Effect.map(
      Effect.forEach(movedRecords, ({ booking: { customerId, id, orgId, previous } }) =>
        Effect.gen(function*() {
          const guestBookings = yield* bookings.list({ orgId, customerId, order: "desc", limit: maxGuestBookings })
          const departureBookingIds = guestBookings
            .filter(({ booking }) => booking.id === id || wasAt(booking, previous))
            .map(({ booking }) => booking.id)
          return yield* Effect.filter(reminders.reminderKinds, (kind) =>
            Effect.exists(departureBookingIds, (one) =>
              Effect.map(
                requestKeys.find({
                  orgId,
                  operation: "messages.send",
                  key: deriveReminderIdempotencyKey(ids, kind, one)
                }),
                Option.isSome
              ))).pipe(Effect.map((kinds) =>
                kinds.map((kind) =>
                  reminders.toSentReminderKey(kind, id)
                )
              ))
        })),
      (keys): ReadonlySet<string> => new Set(keys.flat())
    )
  }

  const findOpenStarts = (org: Org, { offering, trip }: TripWithRecords) => {
    const [party] = trip.parties
    const from = LocalDate.addDays(get(org.timezone).dateAt(trip.startsAt), 1)
    const query = {
      offering: { orgId: org.id, id: offering.id },
      from,
      to: LocalDate.addDays(from, 13),
      periods: offering.kind === "rental"
        ? Math.max(1, Math.round((trip.endsAt - trip.startsAt) / 60_000 / offering.durationMinutes))
        : undefined,
      quantity: offering.kind === "rental" ? party?.quantity : undefined
    }
    const requiredQuantity = offering.kind === "rental" ? party?.quantity ?? 1 : 1
    return availability.get(query).pipe(
      Effect.map(({ slots }) =>
        slots.filter(({ remaining }) => remaining >= requiredQuantity).map(({ startsAt }) => startsAt)
      ),
      // If the offering was deleted or its trip has become too long, no start is available.
      Effect.catchAll(() => Effect.succeed([]))
    )
  }

  const suggestWeather: Rule = (org, automation, now) =>
    Effect.gen(function*() {
      const settings = applyDefaultSettings("weather", automation.settings)
      const allOfferings = yield* trips.offeringsOf(org.id)
      const maxLookAheadHours = Math.max(
        0,
        ...allOfferings.map(({ id }) => weather.getLookAheadHours(weather.getOfferingWeatherLimits(settings, id)))
      )
      if (maxLookAheadHours === 0) return []
      const filter = {
        orgId: org.id,
        from: now,
        to: Instant.make(Instant.addMinutes(now, toMinutes(maxLookAheadHours)) + 1),
        now
      }
      const watchedTrips = (yield* trips.tripsIn(filter)).filter(({ offering, trip }) =>
        weather.isInLookAheadWindow(weather.getOfferingWeatherLimits(settings, offering.id), trip, now)
      )
      const weatherByOffering = yield* weatherReader.of(watchedTrips.map(({ offering }) => offering), now)
      const weatherTrips = yield* Effect.forEach(watchedTrips, (lookup) => {
        const { river, weather: forecast } = toWeatherSignals(weatherByOffering.get(lookup.offering.id))
        const limits = weather.getOfferingWeatherLimits(settings, lookup.offering.id)
        const canMove = lookup.trip.sessionId === null && limits.action === "move" &&
          brokenLimits(limits, lookup.trip, weatherByOffering.get(lookup.offering.id)).length > 0
        return Effect.map(
          canMove ? findOpenStarts(org, lookup) : Effect.succeed([]),
          (openStarts): weather.WeatherTrip => ({ ...lookup.trip, weather: forecast, river, openStarts })
        )
      })
      return weather.proposeWeatherActions({ sender: toMessageSender(org), trips: weatherTrips }, settings, now)
    })

  const suggestFill: Rule = (org, automation, now) =>
    Effect.gen(function*() {
      const settings = applyDefaultSettings("fill", automation.settings)
      const classes = (yield* trips.offeringsOf(org.id)).filter(({ active, kind }) => active && kind === "class")
      if (classes.length === 0) return []
      const minGuestsUntil = Instant.addMinutes(now, toMinutes(settings.min_guests_hours))
      const pendingProposals = yield* proposals.list({ orgId: org.id, status: "pending", limit: 500 })
      const closureRows = yield* closures.since([org.id], getFirstRelevantClosureDate(now))
      const openedSessionIds = findOpenedSessionIds(
        yield* proposals.list({ orgId: org.id, automation: "fill", limit: 500 })
      )
      const facts = yield* Effect.forEach(classes, (offering) =>
        Effect.gen(function*() {
          const to = Instant.addMinutes(now, toMinutes(fillDays * 24))
          const allSessions = yield* trips.sessionsIn({ orgId: org.id, from: now, to, now }, undefined, offering.id)
          const scheduledSessions = allSessions.filter(({ session }) =>
            session.status === "scheduled" && session.startsAt > now
          )
          const sessions = yield* Effect.forEach(scheduledSessions, ({ booked, session }) => {
            const hasTooFewGuests = settings.min_guests !== null && booked > 0 && booked < settings.min_guests &&
              session.startsAt <= minGuestsUntil
            const records = hasTooFewGuests
              ? trips.recordsIn(
                { orgId: org.id, from: session.startsAt, to: Instant.make(session.startsAt + 1) },
                session.id
              )
              : Effect.succeed([])
            return Effect.map(records, (records): fill.FillRateSession => ({
              sessionId: session.id,
              offeringId: offering.id,
              offering: offering.name,
              kind: offering.kind,
              startsAt: session.startsAt,
              endsAt: session.endsAt,
              parties: records.filter(({ booking }) =>
                booking.status === "confirmed" || (booking.status === "held" && booking.expiresAt > now)
              ).map(toTripBooking),
              booked,
              seats: session.capacity ?? offering.capacity,
              capacity: session.capacity,
              createdAt: session.createdAt,
              isOpenedByFill: openedSessionIds.has(session.id)
            }))
          })
          return {
            offeringId: offering.id,
            offering: offering.name,
            minNoticeMinutes: offering.minNoticeMinutes,
            maxAdvanceDays: offering.maxAdvanceDays,
            isClosed: (startsAt: Instant.Instant) =>
              makeFindClosure(closureRows, get(org.timezone), offering)(startsAt) !== undefined,
            sessions,
            cancelledStarts: allSessions.flatMap(({ session }) =>
              session.status === "cancelled" ? [session.startsAt] : []
            )
          }
        }))
      const pendingSessionIds = new Set(pendingProposals.flatMap(({ actions, data, sessionId }) => [
        ...(sessionId === null ? [] : [sessionId]),
        ...(typeof data.to_session_id === "string" ? [data.to_session_id] : []),
        ...actions.flatMap(({ facts }) => facts.session_id ?? [])
      ]))
      return fill.proposeFillRateActions(
        { sender: toMessageSender(org), classes: facts, pendingSessionIds },
        settings,
        now
      )
    })

  const suggestBrief: Rule = (org, automation, now) =>
    Effect.gen(function*() {
      const zone = get(org.timezone)
      const day = zone.dateAt(now)
      // No weather data is needed before the brief's hour.
      if (now < zone.instantAt(day, org.briefHour * 3600)) return []
      const from = zone.startOf(day)
      const to = zone.startOf(LocalDate.addDays(day, 1))
      const lookups = yield* trips.tripsIn({ orgId: org.id, from, to, now })
      const weatherByOffering = yield* weatherReader.of(lookups.map(({ offering }) => offering), now)
      const automationRows = yield* automations.list(org.id)
      const weatherAutomation = automationRows.find((one) => one.automation === "weather")
      const reminderAutomation = automationRows.find((one) => one.automation === "reminders")
      const limits = applyDefaultSettings("weather", weatherAutomation?.settings ?? {})
      const threads = yield* conversations.list({ orgId: org.id, now, status: "open", limit: 50 })
      return brief.proposeBrief(
        {
          sender: toMessageSender(org),
          briefHour: org.briefHour,
          seeYouAt: findQuietHoursEnd(org, zone, now),
          hasReminders: reminderAutomation !== undefined && reminderAutomation.dial !== "off" &&
            applyDefaultSettings("reminders", reminderAutomation.settings).before_2h,
          trips: lookups.map(({ offering, trip }) => ({
            ...trip,
            weather: weatherByOffering.get(offering.id)?.weather,
            river: weatherByOffering.get(offering.id)?.river,
            broken: brokenLimits(
              weather.getOfferingWeatherLimits(limits, offering.id),
              trip,
              weatherByOffering.get(offering.id)
            )
          })),
          unanswered: threads.map(({ conversation }) => conversation).filter(needsReply)
            .map(({ guestAt, id, lastAt }) => ({ conversationId: id, since: guestAt ?? lastAt }))
        },
        applyDefaultSettings("brief", automation.settings),
        now
      )
    })

  const suggestReminders: Rule = (org, automation, now) =>
    Effect.gen(function*() {
      const settings = applyDefaultSettings("reminders", automation.settings)
      const rangeFrom = (fromHours: number) => ({
        orgId: org.id,
        from: Instant.addMinutes(now, toMinutes(fromHours)),
        to: Instant.addMinutes(now, toMinutes(fromHours + 24) + 1),
        now
      })
      const upcomingTrips = yield* trips.tripsIn(rangeFrom(0))
      const { balance_due_days: days } = settings
      const tripsWithBalance = days === null ? [] : yield* trips.tripsIn(rangeFrom((days - 1) * 24))
      const pastTrips = settings.after_6h && org.reviewUrl !== null
        ? yield* trips.tripsIn({
          orgId: org.id,
          from: Instant.addMinutes(now, -toMinutes(24 * maxTripDays)),
          to: now,
          now
        })
        : []
      const recentTrips = pastTrips.filter(({ trip }) => trip.endsAt > Instant.addMinutes(now, -toMinutes(24)))
      const reminderTrips = [...upcomingTrips, ...recentTrips]
      const allTrips = [...reminderTrips, ...tripsWithBalance]
      const customerIds = allTrips.flatMap(({ records }) => records).map(({ customer }) => customer.id)
      const bouncedIds = yield* findBounced(org.id, customerIds)
      const replyId = settings.before_24h_reply_id
      const savedReplies = replyId === null ? [] : yield* savedReplyStore.list(org.id)
      return reminders.proposeReminders(
        {
          sender: toMessageSender(org),
          departures: toDepartures(reminderTrips, publicUrl, bouncedIds),
          balances: toDepartures(tripsWithBalance, publicUrl, bouncedIds),
          reply: savedReplies.find(({ id }) => id === replyId)?.body,
          sentReminderKeys: yield* loadRemindedKeys(allTrips),
          doubtfulTripIds: findDoubtfulTripIds(
            yield* proposals.list({
              orgId: org.id,
              status: "pending",
              automation: "weather",
              limit: maxPendingProposalsToRead
            })
          ),
          past: pastTrips.map(({ trip }) => trip)
        },
        settings,
        now
      )
    })

  const rules: { readonly [Name in AutomationName]: Rule } = {
    weather: suggestWeather,
    fill: suggestFill,
    brief: suggestBrief,
    reminders: suggestReminders
  }
  return (org: Org, automation: Automation, now: Instant.Instant) => rules[automation.automation](org, automation, now)
})

/** Returns the idempotency key for a booking's reminder. Each kind of reminder is sent once. */
export const deriveReminderIdempotencyKey = (
  ids: Pick<Ids["Type"], "digest">,
  kind: reminders.ReminderKind,
  bookingId: string
): string => deriveIdempotencyKey(ids, reminders.toSentReminderKey(kind, bookingId))

/** Returns the sender for an org's messages. */
export const toMessageSender = (org: Org): MessageSender => ({
  org: org.name,
  timezone: org.timezone,
  reviewUrl: org.reviewUrl,
  units: getUnits(org)
})

/** The maximum number of a guest's bookings to search for a shared reminder. */
const maxGuestBookings = 50

const wasAt = (booking: Place & { readonly previous: Place | null }, place: Place | null): boolean =>
  [booking, booking.previous].some((one) =>
    one !== null && one.startsAt === place?.startsAt && one.sessionId === place.sessionId
  )

/** The maximum number of pending proposals to read. Further proposals are ignored. */
export const maxPendingProposalsToRead = 500

/** Returns the IDs of the sessions and bookings in these weather proposals. */
export const findDoubtfulTripIds = (pending: ReadonlyArray<Proposal>): ReadonlySet<string> =>
  new Set(pending.flatMap(({ bookingId, sessionId }) => sessionId ?? bookingId ?? []))

/** If the offering has no coordinates or no gauge, no data is available. */
export const toWeatherSignals = (conditions: WeatherData | undefined) => ({
  weather: conditions?.weather ?? makeSignalUnavailable("The weather forecast", "nowhere"),
  river: conditions?.river ?? makeSignalUnavailable("The river gauge", "nowhere")
})

const brokenLimits = (limits: WeatherLimitSettings, trip: Trip, conditions: WeatherData | undefined) => {
  const { river, weather: forecast } = toWeatherSignals(conditions)
  return evaluateLimits(limits, trip, forecast, river).broken
}

/** Returns the IDs of the sessions that proposals have created. */
const findOpenedSessionIds = (proposals: ReadonlyArray<Proposal>): ReadonlySet<string> =>
  new Set(
    proposals.flatMap(({ actions }) =>
      actions.flatMap(({ kind, result }) => kind === "create_session" ? findResourceId(result) ?? [] : [])
    )
  )

/** Groups bookings by offering and start. */
const toDepartures = (
  lookups: ReadonlyArray<TripWithRecords>,
  publicUrl: string,
  bouncedIds: ReadonlySet<string>
): ReadonlyArray<reminders.RemindableTrip> => {
  const departures = new Map<string, reminders.RemindableTrip>()
  for (const { offering, records, trip } of lookups) {
    const key = trip.sessionId ?? `${offering.id} ${trip.startsAt}`
    const existing = departures.get(key)
    const parties = records.map((record) => {
      const party = toTripBooking(record)
      return {
        ...party,
        reachable: party.reachable && !bouncedIds.has(party.customerId),
        page: `${publicUrl}/b/${record.booking.handle}`
      }
    })
    departures.set(key, {
      ...trip,
      meetingPoint: offering.location,
      map: getMapUrl(toMeetingPoint(offering)),
      // Bookings for the same departure may have different durations. The follow-up message is sent after the last
      // booking ends.
      endsAt: Instant.make(Math.max(existing?.endsAt ?? 0, trip.endsAt)),
      parties: [...existing?.parties ?? [], ...parties]
    })
  }
  return [...departures.values()]
}
