/** Tests closures that race with bookings. The event feed shows which came first. */
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { origin } from "@trailbook/testkit/generator/moment"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { assert } from "vitest"
import {
  decodeAnswer,
  minuteMs,
  race,
  runConcurrently,
  sessionStarts,
  type TwoServerFixture
} from "./TwoServerFixture.ts"

const Counted = Schema.Struct({ id: Schema.String, bookings: Schema.Number, guests: Schema.Number })
const Booked = Schema.Struct({ id: Schema.String, quantity: Schema.Number, starts_at: Schema.String })

/** The session dates: tomorrow and the day after, in Denver. */
const [firstDate = "", secondDate = ""] = [1, 2].map((days) =>
  LocalDate.format(LocalDate.make(Math.floor(origin / (1440 * minuteMs)) + days))
)

/** Returns the bookings at closed start times before the closure, and those after it, according to the feed. */
const listBookingsAroundClosure = (orgId: string, isClosed: (startsAt: string) => boolean) =>
  Effect.gen(function*() {
    const events = (yield* Store.eventLog.latest(orgId, 1000)).toSorted((a, b) => a.id - b.id)
    const at = events.findIndex(({ type }) => type === "closure.created")
    const places = new Map<string, typeof Booked.Type>()
    const entered: Array<string> = []
    for (const [index, { data, type }] of events.entries()) {
      if (!type.startsWith("booking.")) continue
      const booking = yield* Effect.orDie(Schema.decodeUnknown(Booked)(data))
      if (index > at) {
        const isEntry = places.get(booking.id)?.starts_at !== booking.starts_at
        if (isEntry && isClosed(booking.starts_at)) entered.push(booking.id)
      } else if (type === "booking.cancelled") places.delete(booking.id)
      else places.set(booking.id, booking)
    }
    const found = [...places.values()].filter(({ starts_at }) => isClosed(starts_at))
    return { entered, found, guests: found.reduce((sum, { quantity }) => sum + quantity, 0) }
  })

/** Closes the first date while guests book that date or move to it. */
const raceClosure = (
  { book, call, orgId }: TwoServerFixture,
  { offering_id, slots: [slot, other] }: {
    readonly offering_id: string
    readonly slots: ReadonlyArray<{ readonly session_id: string } | { readonly starts_at: string }>
  },
  input: { readonly [field: string]: unknown },
  round: number
) =>
  Effect.gen(function*() {
    const { id } = yield* book({ offering_id, ...other })
    yield* book({ offering_id, ...slot })
    const sell = book({ offering_id, ...slot })
    const closures: Array<typeof Counted.Type> = []
    const close = Effect.map(
      decodeAnswer(Counted)(
        call("closures.create", { from_date: firstDate, to_date: firstDate, reason: "High water", ...input })
      ),
      (closure) => void closures.push(closure)
    )
    yield* runConcurrently<unknown, never>(round, [sell, call("bookings.move", { id, ...slot }), close, sell, sell])
    const isClosed = (startsAt: string) => startsAt < secondDate
    const { entered, found, guests } = yield* listBookingsAroundClosure(orgId, isClosed)
    assert.deepStrictEqual(entered, [], "a booking was accepted at a closed start")
    assert.deepStrictEqual(closures.map(({ bookings, guests }) => ({ bookings, guests })), [
      { bookings: found.length, guests }
    ])
    // Existing bookings are kept.
    for (const { id } of found) {
      const { status } = yield* decodeAnswer(Schema.Struct({ status: Schema.String }))(call("bookings.get", { id }))
      assert.strictEqual(status, "confirmed")
    }
    const answer = yield* Effect.either(sell)
    assert.strictEqual(Either.isLeft(answer) ? answer.left.message : "", "Closed: High water.")
    const [{ id: closureId } = { id: "" }] = closures
    yield* call("closures.delete", { id: closureId })
    yield* sell
  })

export const closureRaces = [
  race(
    "races/class-closure",
    "books no seats at a closed start after the closure is created, and counts the earlier bookings",
    (fixture, round) =>
      Effect.flatMap(
        fixture.offered({ kind: "class", capacity: 9 }, sessionStarts),
        (offering) =>
          raceClosure(fixture, offering, round % 2 === 0 ? {} : { offering_id: offering.offering_id }, round)
      )
  ),

  race(
    "races/closure",
    "books no appointments at a closed start after the closure is created, and counts the earlier bookings",
    (fixture, round) =>
      Effect.gen(function*() {
        const offering_id = yield* fixture.offer({ kind: "appointment", capacity: 9, duration_minutes: 480 })
        const slots = sessionStarts.map((start) => ({
          starts_at: Instant.format(Instant.addMinutes(Instant.parse(start) ?? origin, 7 * 60))
        }))
        yield* raceClosure(fixture, { offering_id, slots }, round % 2 === 0 ? {} : { offering_id }, round)
      })
  ),

  race(
    "races/closure-confirm",
    "confirms an expired hold at a closed start only before the closure is created, even after the session started",
    function*({ book, call, clock, offered, orgId }, round) {
      const { offering_id, slots: [slot] } = yield* offered({ kind: "class", capacity: 9 }, sessionStarts.slice(0, 1))
      const holds = yield* Effect.forEach([1, 2, 3], () => book({ offering_id, ...slot, hold_minutes: 24 * 60 }))
      yield* clock.advance((24 * 60 + 1) * minuteMs)
      const confirms = holds.map(({ id }) => call("bookings.confirm", { id }))
      const close = call("closures.create", { from_date: firstDate, to_date: firstDate, reason: "High water" })
      yield* runConcurrently(round, [...confirms.slice(1), close, ...confirms.slice(0, 1)])
      const events = (yield* Store.eventLog.latest(orgId, 1000)).toSorted((a, b) => a.id - b.id)
      const closureAt = events.findIndex(({ type }) => type === "closure.created")
      assert.isAtLeast(closureAt, 0)
      assert.isFalse(events.slice(closureAt).some(({ type }) => type === "booking.confirmed"))
    }
  )
]
