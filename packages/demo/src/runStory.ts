/**
 * Seeds the demo's history. Days are counted from today, and times are in Salida's time zone. Events run in
 * chronological order and are all in the past, so creating the demo twice on the same day produces identical data. The
 * hold is an exception, because it must still be active. It is placed at midnight if the demo is created in the
 * morning, and otherwise at noon.
 *
 * A few guests play fixed parts on departures that are reserved for them. All other bookings come from the season's
 * calendar. The messages are in `scheduleInbox.ts`.
 */
import type { Source } from "@trailbook/core/actor"
import { type Bookings, bookingsCancel, bookingsCreate, bookingsMove } from "@trailbook/core/booking"
import { savedRepliesCreate } from "@trailbook/core/conversation"
import { customersUpsert } from "@trailbook/core/customer"
import { offeringsCreate, offeringsSetHours } from "@trailbook/core/offering"
import type { Operation } from "@trailbook/core/operation/Operation"
import { Orgs, orgUpdate } from "@trailbook/core/org"
import { sessionsCreate } from "@trailbook/core/session"
import { Tasks } from "@trailbook/core/task"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import { makeClock } from "@trailbook/runtime/makeClock"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { callOperation, type OperationInput } from "./callOperation.ts"
import { type DemoOrg, getDepartureStart, listBookingEvents, makeDepartureKey } from "./listBookingEvents.ts"
import {
  brownsCanyonOffering,
  familyFloatOffering,
  fishingGuideOffering,
  type Guest,
  outfitter,
  touringKayakOffering
} from "./outfitter.ts"
import { messageSenderIndexes, type MessageServices, savedReplies, scheduleInbox } from "./scheduleInbox.ts"
import {
  type Departure,
  listDepartures,
  planBookings,
  recurringDepartures,
  seasonLengthDays,
  type TripKey
} from "./season.ts"

/** A clock that the story sets before each event, so that seeded events get realistic times. */
interface StoryClock extends Clock.Clock {
  readonly set: (instant: Instant.Instant) => Effect.Effect<void>
}

export const makeStoryClock = (start: Instant.Instant): StoryClock => {
  let now = start
  return {
    ...makeClock(() => now),
    set: (instant) =>
      Effect.sync(() => {
        now = instant
      })
  }
}

/** Runs the story and returns the org and its offerings. `cast` has at least ten guests, one for each part. */
export const runStory = ({ cast, clock, now, seed }: {
  readonly cast: ReadonlyArray<Guest>
  readonly clock: StoryClock
  readonly now: Instant.Instant
  readonly seed: number
}) =>
  Effect.gen(function*() {
    const zone = Zone.get(outfitter.timezone)
    const today = zone.dateAt(now)
    const toDate = (day: number): LocalDate.LocalDate => LocalDate.addDays(today, day)
    const toInstant = (day: number, time: string): Instant.Instant =>
      getDepartureStart(zone, { date: toDate(day), time })
    const formatTime = (day: number, time: string): string => Instant.format(toInstant(day, time))
    const findGuest = (castIndex: number): Guest => {
      const guest = cast[castIndex]
      if (guest === undefined) throw new Error(`The story has no guest ${castIndex}.`)
      return guest
    }

    const firstDay = -seasonLengthDays.past
    yield* clock.set(toInstant(firstDay, "08:30"))
    const org = yield* (yield* Orgs).create(outfitter)

    const { run: runTasks } = yield* Tasks
    const call = <Op extends Operation.Any>(source: Source, operation: Op, input: OperationInput<Op>) =>
      Effect.orDie(callOperation({ orgId: org.id, source }, operation, input))
    /** Calls an operation on a day and at a time in the story, and sends the resulting email immediately. */
    const callAt = <Op extends Operation.Any>(
      day: number,
      time: string,
      source: Source,
      operation: Op,
      input: OperationInput<Op>
    ) => runAt(day, time, call(source, operation, input))
    const runAt = <A, R>(day: number, time: string, work: Effect.Effect<A, never, R>) =>
      clock.set(toInstant(day, time)).pipe(Effect.zipRight(work), Effect.zipLeft(runTasks(10)))

    const browns = yield* callAt(firstDay, "09:00", "dashboard", offeringsCreate, brownsCanyonOffering)
    const float = yield* callAt(firstDay, "09:10", "dashboard", offeringsCreate, familyFloatOffering)
    const guide = yield* callAt(firstDay, "09:20", "dashboard", offeringsCreate, fishingGuideOffering)
    const kayak = yield* callAt(firstDay, "09:30", "dashboard", offeringsCreate, touringKayakOffering)
    yield* callAt(firstDay, "09:35", "dashboard", offeringsSetHours, {
      id: guide.id,
      hours: makeDailyHours("07:00", "17:00")
    })
    yield* callAt(firstDay, "09:40", "dashboard", offeringsSetHours, {
      id: kayak.id,
      hours: makeDailyHours("08:00", "18:00")
    })

    yield* callAt(firstDay, "09:42", "dashboard", orgUpdate, {
      phone: "+1 719 555 0100",
      auto_ack: true,
      guest_changes_hours: 24,
      reply_window: "7 AM to 7 PM, usually within an hour"
    })
    for (const reply of savedReplies) yield* callAt(firstDay, "09:45", "dashboard", savedRepliesCreate, reply)

    const offerings = { brownsCanyon: browns.id, familyFloat: float.id, fishingGuide: guide.id, touringKayak: kayak.id }
    const sessions = new Map<string, string>()
    for (const { day, scheduled, time, trip } of recurringDepartures) {
      if (!scheduled) continue
      const { data } = yield* callAt(firstDay, "09:50", "dashboard", sessionsCreate, {
        offering_id: offerings[trip],
        starts_at: formatTime(firstDay + day, time),
        repeat_weeks: (seasonLengthDays.past + seasonLengthDays.ahead + 1) / 7
      })
      for (const { id, starts_at } of data) {
        sessions.set(makeDepartureKey(offerings[trip], Instant.parse(starts_at) ?? now), id)
      }
    }
    const reservedIds = new Map<string, string>()
    const makeSeats = (trip: TripKey, day: number, quantity: number) => ({
      offering_id: offerings[trip],
      session_id: reservedIds.get(`${trip} ${day}`) ?? "",
      quantity
    })
    for (const { day, time, trip } of reservedDepartures) {
      const key = makeDepartureKey(offerings[trip], toInstant(day, time))
      reservedIds.set(`${trip} ${day}`, sessions.get(key) ?? "")
      // Remove the session from the map, so that no order from the season is booked on it or moved to it.
      sessions.delete(key)
    }
    const seatsOnBrowns = (day: number, quantity: number) => makeSeats("brownsCanyon", day, quantity)
    const seatsOnFloat = (day: number, quantity: number) => makeSeats("familyFloat", day, quantity)

    const steps: Array<ScheduledStep> = []
    const schedule = (day: number, time: string, work: ScheduledStep["work"]) => void steps.push({ day, time, work })
    const bookingIds = new Map<string, string>()
    const scheduleBooking = (
      day: number,
      time: string,
      source: Source,
      castIndex: number,
      order: Omit<OperationInput<typeof bookingsCreate>, "customer">,
      name?: string
    ) =>
      schedule(
        day,
        time,
        Effect.map(
          call(source, bookingsCreate, { ...order, customer: findGuest(castIndex) }),
          ({ id }) => void (name === undefined || bookingIds.set(name, id))
        )
      )
    scheduleInbox({
      orgId: org.id,
      at: formatTime,
      tell: schedule,
      guestOf: (party) => findGuest(messageSenderIndexes[party]),
      bookingOf: (party) => bookingIds.get(party) ?? ""
    })
    const scheduleChange = <Op extends Operation.Any>(
      day: number,
      time: string,
      operation: Op,
      input: () => OperationInput<Op>
    ) => schedule(day, time, Effect.suspend(() => call("dashboard", operation, input())))

    // A party that came last week returns with friends.
    scheduleBooking(-7, "10:12", "widget", 0, seatsOnBrowns(-5, 2), "regulars")
    scheduleBooking(-6, "18:40", "widget", 0, { ...seatsOnBrowns(2, 4), notes: "Two adults, two teenagers." })
    scheduleBooking(-5, "11:05", "dashboard", 4, {
      ...seatsOnBrowns(2, 3),
      notes: "By phone. One wetsuit for a child."
    })
    scheduleBooking(-4, "20:31", "api", 2, seatsOnBrowns(2, 2))
    scheduleBooking(-4, "21:02", "widget", 3, seatsOnBrowns(2, 2), "called off")
    scheduleBooking(-3, "08:15", "widget", 9, seatsOnBrowns(9, 2), "brought forward")
    scheduleBooking(
      -3,
      "12:40",
      "api",
      6,
      { offering_id: guide.id, starts_at: formatTime(4, "07:00"), quantity: 2 },
      "anglers"
    )
    scheduleBooking(
      -3,
      "16:20",
      "widget",
      8,
      { offering_id: kayak.id, starts_at: formatTime(5, "08:00"), quantity: 2, periods: 4 },
      "kayaks"
    )

    // A cancellation frees two seats on the almost full departure. A party from the following week takes these seats,
    // so 11 of 12 are booked.
    scheduleChange(-2, "07:55", bookingsCancel, () => ({ id: bookingIds.get("called off") ?? "" }))
    scheduleChange(
      -2,
      "09:30",
      bookingsMove,
      () => ({ id: bookingIds.get("brought forward") ?? "", ...pickSession(seatsOnBrowns(2, 2)) })
    )

    scheduleBooking(-2, "15:10", "widget", 5, seatsOnFloat(1, 5), "family")
    scheduleBooking(-1, "10:00", "api", 7, seatsOnFloat(1, 2))
    scheduleBooking(-1, "14:45", "dashboard", 7, { offering_id: guide.id, starts_at: formatTime(6, "12:00") })
    scheduleChange(-1, "14:50", customersUpsert, () => ({
      email: findGuest(7).email,
      notes: "Left-handed: bring the other reel."
    }))

    // Create the session more than 24 hours ago, because the agent does not cancel a newer session for too few guests.
    let nearlyEmptySession = ""
    schedule(
      -2,
      "16:10",
      Effect.map(
        call("dashboard", sessionsCreate, { offering_id: float.id, starts_at: formatTime(3, "13:30") }),
        ({ data: [session] }) => void (nearlyEmptySession = session?.id ?? "")
      )
    )

    const demoOrg: DemoOrg = { orgId: org.id, zone, offerings, sessions }
    const dates = Array.from(
      { length: seasonLengthDays.past + seasonLengthDays.ahead },
      (_, at) => toDate(firstDay + 1 + at)
    )
    for (const departure of dates.flatMap((date) => listDepartures(date, today))) {
      if (reservedIds.has(`${departure.trip} ${departure.day}`)) continue
      for (const order of planBookings(departure, seed)) {
        for (const { at, on, tell: work } of listBookingEvents(order, demoOrg)) {
          // The activities are created on the first day, so orders from that day or earlier are placed on the second
          // day. Orders for today or later are placed by a later start.
          if (on < today) schedule(Math.max(on - today, firstDay + 1), at, work)
        }
      }
    }

    const sortedSteps = steps.sort((a, b) => a.day - b.day || a.time.localeCompare(b.time))
    for (const { day, time, work } of sortedSteps) yield* runAt(day, time, work)

    const holdTime = now < toInstant(0, "12:00") ? "00:00" : "12:00"
    yield* callAt(0, holdTime, "api", bookingsCreate, {
      ...seatsOnBrowns(3, 2),
      hold_minutes: 1440,
      customer: findGuest(1)
    })
    return { org, offerings, nearlyEmptySession }
  })

/**
 * The departures reserved for guests with fixed parts. On any other departure, the season's orders could take the seats
 * first, depending on the seed.
 */
const reservedDepartures: ReadonlyArray<Pick<Departure, "trip" | "day" | "time">> = [
  ...[-5, 2, 3, 9].map((day) => ({ trip: "brownsCanyon", day, time: "09:00" }) as const),
  { trip: "familyFloat", day: 1, time: "13:30" }
]

interface ScheduledStep {
  readonly day: number
  readonly time: string
  readonly work: Effect.Effect<unknown, never, Bookings | MessageServices>
}

const pickSession = ({ session_id }: { readonly session_id: string }) => ({ session_id })

const makeDailyHours = (start_time: string, end_time: string) =>
  [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start_time, end_time }))
