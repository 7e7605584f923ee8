/** Tests stored closures, and closures that race with bookings. The event feed shows the order. */
import { closurePosition } from "@trailbook/core/offering/closure/ClosureStore"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { assert } from "vitest"
import { closure } from "../generator/closure.ts"
import { origin } from "../generator/moment.ts"
import { orgData } from "../generator/orgData.ts"
import { sameRows } from "./compare.ts"
import { lawsAbout } from "./lawsAbout.ts"
import { readAllPages } from "./readAllPages.ts"
import { newId, openOrg, seedOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"
import { minuteMs, race, read, runConcurrently, sessionStarts, type TwoServerFixture } from "./TwoServerFixture.ts"

const inTown = lawsAbout(seedOrg)

const Counted = Schema.Struct({ id: Schema.String, bookings: Schema.Number, guests: Schema.Number })
const Booked = Schema.Struct({ id: Schema.String, quantity: Schema.Number, starts_at: Schema.String })

/** The session dates: tomorrow and the day after, in Denver. */
const [firstDate = "", secondDate = ""] = [1, 2].map((days) =>
  LocalDate.format(LocalDate.make(Math.floor(origin / (1440 * minuteMs)) + days))
)

/** Returns the bookings that the feed shows at closed starts, before and after the closure. */
const aroundClosure = (orgId: string, isClosed: (startsAt: string) => boolean) =>
  Effect.gen(function*() {
    const events = (yield* Store.log.latest(orgId, 1000)).toSorted((a, b) => a.id - b.id)
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

/** Closes the first date while guests book and move there. */
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
      read(Counted)(
        call("closures.create", { from_date: firstDate, to_date: firstDate, reason: "High water", ...input })
      ),
      (closure) => void closures.push(closure)
    )
    yield* runConcurrently<unknown, never>(round, [sell, call("bookings.move", { id, ...slot }), close, sell, sell])
    const isClosed = (startsAt: string) => startsAt < secondDate
    const { entered, found, guests } = yield* aroundClosure(orgId, isClosed)
    assert.deepStrictEqual(entered, [], "a booking was accepted at a closed start")
    assert.deepStrictEqual(closures.map(({ bookings, guests }) => ({ bookings, guests })), [
      { bookings: found.length, guests }
    ])
    // Existing bookings are kept.
    for (const { id } of found) {
      const { status } = yield* read(Schema.Struct({ status: Schema.String }))(call("bookings.get", { id }))
      assert.strictEqual(status, "confirmed")
    }
    const answer = yield* Effect.either(sell)
    assert.strictEqual(Either.isLeft(answer) ? answer.left.message : "", "Closed: High water.")
    const [{ id: closureId } = { id: "" }] = closures
    yield* call("closures.delete", { id: closureId })
    yield* sell
  })

export const closureLaws = [
  inTown(
    "closures/rows",
    "lists complete closures by first date, only of the requested orgs, until they are replaced or removed",
    FastCheck.tuple(
      orgData(0),
      FastCheck.uniqueArray(closure, { maxLength: 6, selector: ({ id }) => id }),
      FastCheck.integer({ min: -4, max: 7 })
    ),
    function*({ offerings, orgId, twinId }, closures, days) {
      const offeringId = offerings[0]?.id ?? null
      const rows = closures.map((row, at) => ({ ...row, orgId, offeringId: at === 0 ? offeringId : null }))
      for (const row of rows) yield* Store.closures.put(row)
      for (const row of rows) yield* Store.closures.put({ ...row, orgId: twinId, reason: "twin" })
      const { id: emptyId } = yield* openOrg
      const since = LocalDate.make(Math.floor(origin / (1440 * minuteMs)) + days)
      const expected = rows.filter(({ toDate }) => toDate >= since)
      sameRows(yield* Store.closures.since([orgId, emptyId], since), expected)
      assert.strictEqual((yield* Store.closures.since([orgId, twinId], since)).length, 2 * expected.length)
      assert.deepStrictEqual(yield* Store.closures.since([], since), [])
      const sorted = expected.toSorted((a, b) => a.fromDate - b.fromDate || (a.id < b.id ? -1 : 1))
      assert.deepStrictEqual(
        yield* readAllPages(2, (after) => Store.closures.list({ orgId, since, after, limit: 2 }), closurePosition),
        sorted
      )
      assert.strictEqual((yield* Store.closures.list({ orgId, limit: 100 })).length, rows.length)
      const [first] = rows
      if (first === undefined) return
      const changed = { ...first, reason: "other" }
      yield* Store.closures.put(changed)
      for (const found of [yield* Store.closures.find(first), yield* Store.run(Store.closures.lock(first))]) {
        assert.deepStrictEqual(Option.getOrNull(found), changed)
      }
      yield* Store.closures.remove(first)
      assert.isTrue(Option.isNone(yield* Store.closures.find(first)))
      assert.isTrue(Option.isNone(yield* Store.closures.find({ orgId, id: newId() })))
      assert.isTrue(Option.isSome(yield* Store.closures.find({ ...first, orgId: twinId })))
    }
  ),

  race(
    "races/class-closure",
    "books no seats at a closed start after the closure is created, and counts the earlier bookings",
    (fixture, round) =>
      Effect.flatMap(
        fixture.offered({ kind: "class", capacity: 9 }, sessionStarts),
        (offered) => raceClosure(fixture, offered, round % 2 === 0 ? {} : { offering_id: offered.offering_id }, round)
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
      const events = (yield* Store.log.latest(orgId, 1000)).toSorted((a, b) => a.id - b.id)
      const closed = events.findIndex(({ type }) => type === "closure.created")
      assert.isAtLeast(closed, 0)
      assert.isFalse(events.slice(closed).some(({ type }) => type === "booking.confirmed"))
    }
  )
]
