/**
 * Seeds the demo's history. Days count from today, and times are in Salida time. Events run in chronological order and
 * are all in the past, so creating the demo twice on the same day produces identical data. The hold is an exception,
 * because it must still be active. It is placed at midnight if the demo is created in the morning, and otherwise at
 * noon.
 *
 * A few guests have fixed parts, on departures that are reserved for them. All other bookings come from the season's
 * calendar. The messages are in `inbox.ts`.
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
import * as Effect from "effect/Effect"
import { call, type Input } from "./call.ts"
import type { Guest } from "./guests.ts"
import { inbox, type MessageWriter, parties, savedReplies } from "./inbox.ts"
import { brownsCanyon, familyFloat, fishingGuide, outfitter, touringKayakOffering } from "./outfitter.ts"
import { type DemoOrg, departureKey, departureStart, orderEvents } from "./placeOrder.ts"
import { calendar, days, type Departure, departuresOn, ordersFor, type Trip } from "./season.ts"
import type { StoryClock } from "./StoryClock.ts"

/** Runs the story and returns the org and its offerings. `cast` has at least ten guests, one for each part. */
export const story = ({ cast, clock, now, seed }: {
  readonly cast: ReadonlyArray<Guest>
  readonly clock: StoryClock
  readonly now: Instant.Instant
  readonly seed: number
}) =>
  Effect.gen(function*() {
    const zone = Zone.get(outfitter.timezone)
    const today = zone.dateAt(now)
    const dayOf = (day: number): LocalDate.LocalDate => LocalDate.addDays(today, day)
    const instant = (day: number, time: string): Instant.Instant => departureStart(zone, { date: dayOf(day), time })
    const at = (day: number, time: string): string => Instant.format(instant(day, time))
    const guest = (part: number): Guest => {
      const person = cast[part]
      if (person === undefined) throw new Error(`The story has no guest ${part}.`)
      return person
    }

    const firstDay = -days.past
    yield* clock.set(instant(firstDay, "08:30"))
    const org = yield* (yield* Orgs).create(outfitter)

    const { run: runTasks } = yield* Tasks
    /** Calls an operation at a day and time in the story, and sends the resulting email immediately. */
    const callAt = <Op extends Operation.Any>(
      day: number,
      time: string,
      source: Source,
      operation: Op,
      input: Input<Op>
    ) => runAt(day, time, Effect.orDie(call({ orgId: org.id, source }, operation, input)))
    const runAt = <A, R>(day: number, time: string, work: Effect.Effect<A, never, R>) =>
      clock.set(instant(day, time)).pipe(Effect.zipRight(work), Effect.zipLeft(runTasks(10)))

    const browns = yield* callAt(firstDay, "09:00", "dashboard", offeringsCreate, brownsCanyon)
    const float = yield* callAt(firstDay, "09:10", "dashboard", offeringsCreate, familyFloat)
    const guide = yield* callAt(firstDay, "09:20", "dashboard", offeringsCreate, fishingGuide)
    const kayak = yield* callAt(firstDay, "09:30", "dashboard", offeringsCreate, touringKayakOffering)
    yield* callAt(firstDay, "09:35", "dashboard", offeringsSetHours, { id: guide.id, hours: daily("07:00", "17:00") })
    yield* callAt(firstDay, "09:40", "dashboard", offeringsSetHours, { id: kayak.id, hours: daily("08:00", "18:00") })

    yield* callAt(firstDay, "09:42", "dashboard", orgUpdate, {
      phone: "+1 719 555 0100",
      auto_ack: true,
      guest_changes_hours: 24,
      reply_window: "7 AM to 7 PM, usually within an hour"
    })
    for (const reply of savedReplies) yield* callAt(firstDay, "09:45", "dashboard", savedRepliesCreate, reply)

    const offerings = { brownsCanyon: browns.id, familyFloat: float.id, fishingGuide: guide.id, touringKayak: kayak.id }
    const sessions = new Map<string, string>()
    for (const { day, scheduled, time, trip } of calendar) {
      if (!scheduled) continue
      const { data } = yield* callAt(firstDay, "09:50", "dashboard", sessionsCreate, {
        offering_id: offerings[trip],
        starts_at: at(firstDay + day, time),
        repeat_weeks: (days.past + days.ahead + 1) / 7
      })
      for (const { id, starts_at } of data) {
        sessions.set(departureKey(offerings[trip], Instant.parse(starts_at) ?? now), id)
      }
    }
    const reservedIds = new Map<string, string>()
    const seats = (trip: Trip, day: number, quantity: number) => ({
      offering_id: offerings[trip],
      session_id: reservedIds.get(`${trip} ${day}`) ?? "",
      quantity
    })
    for (const { day, time, trip } of keptForParts) {
      const place = departureKey(offerings[trip], instant(day, time))
      reservedIds.set(`${trip} ${day}`, sessions.get(place) ?? "")
      // Remove the session from the map, so that no order from the season is booked on it or moved to it.
      sessions.delete(place)
    }
    const onBrowns = (day: number, quantity: number) => seats("brownsCanyon", day, quantity)
    const onFloat = (day: number, quantity: number) => seats("familyFloat", day, quantity)

    const chapters: Array<ScheduledStep> = []
    const tell = (day: number, time: string, work: ScheduledStep["work"]) => void chapters.push({ day, time, work })
    const bookingIds = new Map<string, string>()
    const book = (
      day: number,
      time: string,
      source: Source,
      part: number,
      order: Omit<Input<typeof bookingsCreate>, "customer">,
      name?: string
    ) =>
      tell(
        day,
        time,
        Effect.map(
          Effect.orDie(call({ orgId: org.id, source }, bookingsCreate, { ...order, customer: guest(part) })),
          ({ id }) => void (name === undefined || bookingIds.set(name, id))
        )
      )
    inbox({
      orgId: org.id,
      at,
      tell,
      guestOf: (party) => guest(parties[party]),
      bookingOf: (party) => bookingIds.get(party) ?? ""
    })
    const change = <Op extends Operation.Any>(day: number, time: string, operation: Op, input: () => Input<Op>) =>
      tell(
        day,
        time,
        Effect.suspend(() => Effect.orDie(call({ orgId: org.id, source: "dashboard" }, operation, input())))
      )

    // A party that came last week returns with friends.
    book(-7, "10:12", "widget", 0, onBrowns(-5, 2), "regulars")
    book(-6, "18:40", "widget", 0, { ...onBrowns(2, 4), notes: "Two adults, two teenagers." })
    book(-5, "11:05", "dashboard", 4, { ...onBrowns(2, 3), notes: "By phone. One wetsuit for a child." })
    book(-4, "20:31", "api", 2, onBrowns(2, 2))
    book(-4, "21:02", "widget", 3, onBrowns(2, 2), "called off")
    book(-3, "08:15", "widget", 9, onBrowns(9, 2), "brought forward")
    book(-3, "12:40", "api", 6, { offering_id: guide.id, starts_at: at(4, "07:00"), quantity: 2 }, "anglers")
    book(
      -3,
      "16:20",
      "widget",
      8,
      { offering_id: kayak.id, starts_at: at(5, "08:00"), quantity: 2, periods: 4 },
      "kayaks"
    )

    // A cancellation frees two seats on the almost full departure. A party from the following week takes these seats,
    // so 11 of 12 are booked.
    change(-2, "07:55", bookingsCancel, () => ({ id: bookingIds.get("called off") ?? "" }))
    change(
      -2,
      "09:30",
      bookingsMove,
      () => ({ id: bookingIds.get("brought forward") ?? "", ...sessionOf(onBrowns(2, 2)) })
    )

    book(-2, "15:10", "widget", 5, onFloat(1, 5), "family")
    book(-1, "10:00", "api", 7, onFloat(1, 2))
    book(-1, "14:45", "dashboard", 7, { offering_id: guide.id, starts_at: at(6, "12:00") })
    change(-1, "14:50", customersUpsert, () => ({
      email: guest(7).email,
      notes: "Left-handed: bring the other reel."
    }))

    // Create the session more than 24 hours ago, because the agent does not cancel a newer session for too few guests.
    let nearlyEmptySession = ""
    tell(
      -2,
      "16:10",
      Effect.map(
        Effect.orDie(call({ orgId: org.id, source: "dashboard" }, sessionsCreate, {
          offering_id: float.id,
          starts_at: at(3, "13:30")
        })),
        ({ data: [session] }) => void (nearlyEmptySession = session?.id ?? "")
      )
    )

    const demoOrg: DemoOrg = { orgId: org.id, zone, offerings, sessions }
    const dates = Array.from({ length: days.past + days.ahead }, (_, at) => dayOf(firstDay + 1 + at))
    for (const departure of dates.flatMap((date) => departuresOn(date, today))) {
      if (reservedIds.has(`${departure.trip} ${departure.day}`)) continue
      for (const order of ordersFor(departure, seed)) {
        for (const { at, on, tell: work } of orderEvents(order, demoOrg)) {
          // The activities are created on the first day, so orders from that day or earlier are placed on the second
          // day. A later start places orders from today on.
          if (on < today) tell(Math.max(on - today, firstDay + 1), at, work)
        }
      }
    }

    const inOrder = chapters.sort((a, b) => a.day - b.day || a.time.localeCompare(b.time))
    for (const { day, time, work } of inOrder) yield* runAt(day, time, work)

    const holdTime = now < instant(0, "12:00") ? "00:00" : "12:00"
    yield* callAt(0, holdTime, "api", bookingsCreate, { ...onBrowns(3, 2), hold_minutes: 1440, customer: guest(1) })
    return { org, offerings, nearlyEmptySession }
  })

/**
 * The departures reserved for guests with fixed parts. On any other departure, the season's orders could take the seats
 * first, depending on the seed.
 */
const keptForParts: ReadonlyArray<Pick<Departure, "trip" | "day" | "time">> = [
  ...[-5, 2, 3, 9].map((day) => ({ trip: "brownsCanyon", day, time: "09:00" }) as const),
  { trip: "familyFloat", day: 1, time: "13:30" }
]

interface ScheduledStep {
  readonly day: number
  readonly time: string
  readonly work: Effect.Effect<unknown, never, Bookings | MessageWriter>
}

const sessionOf = ({ session_id }: { readonly session_id: string }) => ({ session_id })

const daily = (start_time: string, end_time: string) =>
  [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start_time, end_time }))
