/**
 * Extends an existing demo on each start. Schedules the sessions that have entered the calendar window and places the
 * orders that are due. New bookings are created at the server's current time. If a start is interrupted, the next one
 * finishes its work.
 */
import { availabilityGet } from "@trailbook/core/availability"
import { bookingsCreate } from "@trailbook/core/booking"
import { sessionsCreate, sessionsList } from "@trailbook/core/session"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import { callOperation } from "./callOperation.ts"
import type { DemoFile } from "./DemoFile.ts"
import { type DemoOrg, getDepartureStart, listBookingEvents, makeDepartureKey } from "./listBookingEvents.ts"
import { guests, outfitter } from "./outfitter.ts"
import { listDepartures, planBookings, seasonLengthDays } from "./season.ts"
import { makeSeededByteSource, makeSeededKey, pickOne } from "./seededRandom.ts"

const zone = Zone.get(outfitter.timezone)

/** Returns yesterday, the last date whose events are all in the past. */
export const getLastStoryDate = (now: Instant.Instant): LocalDate.LocalDate => LocalDate.addDays(zone.dateAt(now), -1)

/**
 * Places the orders that have become due since `told_until` and returns the new `told_until`. A second run on the same
 * day does nothing.
 */
export const extendSeason = (demo: DemoFile) =>
  Effect.gen(function*() {
    const now = yield* currentTime
    const until = getLastStoryDate(now)
    const extendedUntil = LocalDate.parse(demo.told_until) ?? until
    if (extendedUntil >= until) return demo.told_until
    const madeOn = zone.dateAt(Instant.parse(demo.made_at) ?? now)
    const today = LocalDate.addDays(until, 1)
    const futureDates = Array.from({ length: seasonLengthDays.ahead }, (_, at) => LocalDate.addDays(today, at + 1))
    const departures = futureDates.flatMap((date) => listDepartures(date, madeOn))
    const org = yield* scheduleSessions(demo, departures, now)

    const dueEvents = departures
      .flatMap((departure) => planBookings(departure, demo.seed))
      .flatMap((order) => listBookingEvents(order, org))
      .filter(({ on }) => on > extendedUntil && on <= until)
      .sort((a, b) => a.on - b.on || a.at.localeCompare(b.at))
    yield* Effect.forEach(dueEvents, ({ tell }) => tell, { discard: true })
    yield* bookLastSeats(demo, today)
    return LocalDate.format(until)
  })

/** Creates the missing sessions for the departures and returns the IDs of all upcoming sessions. */
const scheduleSessions = (demo: DemoFile, departures: ReturnType<typeof listDepartures>, now: Instant.Instant) =>
  Effect.gen(function*() {
    const caller = { orgId: demo.org_id, source: "dashboard" as const }
    const sessions = new Map<string, string>()
    let cursor: string | undefined
    do {
      const page = yield* Effect.orDie(callOperation(caller, sessionsList, {
        from: Instant.format(now),
        limit: 500,
        ...(cursor === undefined ? {} : { cursor })
      }))
      for (const { id, offering_id, starts_at } of page.data) {
        sessions.set(makeDepartureKey(offering_id, parseInstant(starts_at)), id)
      }
      cursor = page.next_cursor
    } while (cursor !== undefined)

    for (const departure of departures.filter(({ scheduled }) => scheduled)) {
      const offering_id = demo.offerings[departure.trip]
      const startsAt = getDepartureStart(zone, departure)
      // The map also contains canceled sessions, so they are not created again.
      if (sessions.has(makeDepartureKey(offering_id, startsAt))) continue
      // A deleted offering refuses new sessions, so its departures are skipped.
      const response = yield* Effect.catchAll(
        callOperation(caller, sessionsCreate, { offering_id, starts_at: Instant.format(startsAt) }),
        () => Effect.succeed({ data: [] })
      )
      for (const { id } of response.data) sessions.set(makeDepartureKey(offering_id, startsAt), id)
    }
    return { orgId: demo.org_id, zone, offerings: demo.offerings, sessions } satisfies DemoOrg
  })

const parseInstant = (text: string): Instant.Instant => Instant.parse(text) ?? Instant.min

/**
 * Fills the sessions that the banner shows: leaves one seat in the next session, and places a hold in the one after
 * that.
 */
const bookLastSeats = (demo: DemoFile, today: LocalDate.LocalDate) =>
  Effect.gen(function*() {
    const caller = { orgId: demo.org_id, source: "widget" as const }
    const { data: [nextSlot, secondSlot] } = yield* callOperation(caller, availabilityGet, { id: demo.offering_id })
    const bookParty = (
      seedLabel: string,
      quantity: number,
      order: { readonly session_id: string; readonly hold_minutes?: number }
    ) =>
      callOperation(caller, bookingsCreate, {
        ...order,
        offering_id: demo.offering_id,
        quantity,
        customer: pickOne(guests, makeSeededByteSource(demo.seed, seedLabel)),
        idempotency_key: makeSeededKey(demo.seed, seedLabel)
      })
    if (nextSlot?.session_id !== undefined) {
      const { remaining, session_id } = nextSlot
      for (let remainingSeats = remaining - 1; remainingSeats > 0; remainingSeats -= maxPartySize) {
        yield* bookParty(`party ${remainingSeats} ${session_id}`, Math.min(remainingSeats, maxPartySize), {
          session_id
        })
      }
    }
    if (secondSlot?.session_id !== undefined && secondSlot.remaining > 2) {
      yield* bookParty(`hold ${LocalDate.format(today)}`, 2, { session_id: secondSlot.session_id, hold_minutes: 1440 })
    }
  }).pipe(Effect.catchTag("Refusal", () => Effect.void))

const maxPartySize = 4
