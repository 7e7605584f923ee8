/**
 * What has happened at the demo's outfitter. Days count from today, times are
 * those of the clocks in Salida; all is told in the order in which it happened
 * and lies in the past, so a story told twice on a day is the same to the
 * millisecond. One thing cannot be: the hold must still live when somebody
 * looks, so it was made at midnight, or at noon when the day is older.
 *
 * @since 0.1.0
 */
import type { Source } from "@trailbook/core/actor/Actor"
import { Errands } from "@trailbook/core/mail/Errands"
import { bookingsCancel, bookingsCreate, bookingsMove } from "@trailbook/core/operation/bookingOperations"
import { customersUpsert } from "@trailbook/core/operation/customerOperations"
import { offeringsCreate, offeringsSetHours } from "@trailbook/core/operation/offeringOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import { sessionsCreate } from "@trailbook/core/operation/sessionOperations"
import { Orgs } from "@trailbook/core/org/Orgs"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import { call, type Input } from "./call.ts"
import type { Guest } from "./guests.ts"
import { brownsCanyon, familyFloat, fishingGuide, outfitter, touringKayak } from "./outfitter.ts"
import type { StoryClock } from "./StoryClock.ts"

/**
 * Tells the story to whoever keeps the books, and answers with the org and the
 * offering that is nearly sold out. `cast` are at least ten guests, each for their part.
 *
 * @since 0.1.0
 * @category effects
 */
export const story = ({ cast, clock, now }: {
  readonly cast: ReadonlyArray<Guest>
  readonly clock: StoryClock
  readonly now: Instant.Instant
}) =>
  Effect.gen(function*() {
    const zone = Zone.get(outfitter.timezone)
    const today = zone.dateAt(now)
    const instant = (day: number, time: string): Instant.Instant =>
      zone.instantAt(LocalDate.addDays(today, day), LocalTime.parse(time) ?? 0)
    const at = (day: number, time: string): string => Instant.format(instant(day, time))
    const guest = (part: number): Guest => {
      const found = cast[part]
      if (found === undefined) throw new Error(`Nobody plays guest ${part}.`)
      return found
    }

    yield* clock.set(instant(-8, "08:30"))
    const org = yield* (yield* Orgs).create(outfitter)

    const { run: runErrands } = yield* Errands
    /** Something that was done on a day, at a time, from some place; its mails left at once. */
    const then = <Op extends Operation.Any>(
      day: number,
      time: string,
      source: Source,
      operation: Op,
      input: Input<Op>
    ) =>
      clock.set(instant(day, time)).pipe(
        Effect.zipRight(Effect.orDie(call({ orgId: org.id, source }, operation, input))),
        Effect.zipLeft(runErrands(10))
      )

    const browns = yield* then(-8, "09:00", "dashboard", offeringsCreate, brownsCanyon)
    const float = yield* then(-8, "09:10", "dashboard", offeringsCreate, familyFloat)
    const guide = yield* then(-8, "09:20", "dashboard", offeringsCreate, fishingGuide)
    const kayak = yield* then(-8, "09:30", "dashboard", offeringsCreate, touringKayak)
    yield* then(-8, "09:35", "dashboard", offeringsSetHours, { id: guide.id, hours: daily("07:00", "17:00") })
    yield* then(-8, "09:40", "dashboard", offeringsSetHours, { id: kayak.id, hours: daily("08:00", "18:00") })

    const departures = (minute: string, offering: { readonly id: string }, starts_at: string, repeat_weeks: number) =>
      Effect.map(
        then(-8, minute, "dashboard", sessionsCreate, { offering_id: offering.id, starts_at, repeat_weeks }),
        ({ data }) => (week: number): string => data[week]?.id ?? ""
      )
    const weekly = yield* departures("09:50", browns, at(-5, "09:00"), 4)
    const extra = yield* departures("09:51", browns, at(3, "09:00"), 2)
    const afternoon = yield* departures("09:52", float, at(-6, "13:30"), 4)
    yield* departures("09:53", float, at(4, "13:30"), 2)

    const book = (
      day: number,
      time: string,
      source: Source,
      part: number,
      wish: Omit<Input<typeof bookingsCreate>, "customer">
    ) => then(day, time, source, bookingsCreate, { ...wish, customer: guest(part) })
    const onBrowns = (session_id: string, quantity: number) => ({ offering_id: browns.id, session_id, quantity })
    const onFloat = (session_id: string, quantity: number) => ({ offering_id: float.id, session_id, quantity })

    // A party that came last week and comes again, with friends.
    yield* book(-7, "10:12", "widget", 0, onBrowns(weekly(0), 2))
    yield* book(-6, "18:40", "widget", 0, { ...onBrowns(weekly(1), 4), notes: "Two adults, two teenagers." })
    yield* book(-5, "11:05", "dashboard", 4, { ...onBrowns(weekly(1), 3), notes: "By phone. One wetsuit for a child." })
    yield* book(-4, "20:31", "api", 2, onBrowns(weekly(1), 2))
    const calledOff = yield* book(-4, "21:02", "widget", 3, onBrowns(weekly(1), 2))
    const brought = yield* book(-3, "08:15", "widget", 9, onBrowns(weekly(2), 2))
    yield* book(-3, "12:40", "api", 6, { offering_id: guide.id, starts_at: at(4, "07:00"), quantity: 2 })
    yield* book(-3, "16:20", "widget", 8, {
      offering_id: kayak.id,
      starts_at: at(5, "08:00"),
      quantity: 2,
      periods: 4
    })

    // Two seats come free on the nearly full departure, and a party of the week after takes them: 11 of 12.
    yield* then(-2, "07:55", "dashboard", bookingsCancel, { id: calledOff.id })
    yield* then(-2, "09:30", "dashboard", bookingsMove, { id: brought.id, session_id: weekly(1) })

    yield* book(-2, "15:10", "widget", 5, onFloat(afternoon(1), 5))
    yield* book(-1, "10:00", "api", 7, onFloat(afternoon(1), 2))
    yield* book(-1, "14:45", "dashboard", 7, { offering_id: guide.id, starts_at: at(6, "12:00") })
    yield* then(-1, "14:50", "dashboard", customersUpsert, {
      email: guest(7).email,
      notes: "Left-handed: bring the other reel."
    })

    const held = now < instant(0, "12:00") ? "00:00" : "12:00"
    yield* book(0, held, "api", 1, { ...onBrowns(extra(0), 2), hold_minutes: 1440 })
    return { org, offeringId: browns.id }
  })

const daily = (start_time: string, end_time: string) =>
  [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start_time, end_time }))
