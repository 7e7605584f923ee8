/**
 * What happens at once on one storage behind two processes. Every pair here can
 * go wrong where a place is measured without its lock; the controls of the
 * memory adapter show that each of them does.
 *
 * @since 0.1.0
 */
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { assert } from "vitest"
import { origin } from "../generator/moment.ts"
import { atOnce, race, type Scene, sorted } from "./Scene.ts"
import { freshId } from "./settle.ts"

const minute = 60_000
const full = ["slot_full"]

/** Every booking of the org, as it is stored. */
const stored = (orgId: string) =>
  Effect.flatMap(BookingStore, (store) =>
    Effect.map(
      store.list({
        orgId,
        from: undefined,
        to: undefined,
        status: undefined,
        offeringId: undefined,
        customerId: undefined,
        sessionId: undefined,
        order: "asc",
        after: undefined,
        limit: 1000
      }),
      (records) => records.map(({ booking }) => booking)
    ))

const guestsOf = (orgId: string) =>
  Effect.flatMap(CustomerStore, (store) => store.list({ orgId, q: undefined, after: undefined, limit: 1000 }))

/** When sessions start: a day from now, and the day after. */
const sessions = [24, 48].map((hours) => Instant.format(Instant.addMinutes(origin, hours * 60)))

/** Pauses what is being booked; the feed tells which came first. */
const pausing = ({ book, call, orgId, slots }: Scene, id: string, round: number) =>
  Effect.gen(function*() {
    const [slot] = yield* slots(id)
    const sell = book({ offering_id: id, ...slot })
    yield* atOnce<unknown, never>(round, [sell, call("offerings.update", { id, active: false }), sell, sell])
    const events = yield* Effect.flatMap(EventLog, (log) => log.latest(orgId, 1000))
    const paused = events.findIndex(({ type }) => type === "offering.updated")
    assert.isFalse(
      events.slice(paused).some(({ type }) => type === "booking.confirmed"),
      "it was sold when it was paused"
    )
  })

/**
 * @since 0.1.0
 * @category laws
 */
export const raceLaws = [
  race(
    "races/last-places",
    "of many who book an appointment at once, as many get it as there are places",
    ({ book, offer, slots }, round) =>
      Effect.gen(function*() {
        const capacity = 1 + round % 3
        const offering_id = yield* offer({ kind: "appointment", capacity })
        const [slot] = yield* slots(offering_id)
        const { codes, won } = sorted(
          yield* atOnce(round, Array.from({ length: 6 }, () => book({ offering_id, ...slot })))
        )
        assert.strictEqual(won.length, capacity)
        assert.deepStrictEqual([...new Set(codes)], full)
      })
  ),

  race(
    "races/last-seats",
    "of many who book a session at once, as many get a seat as there are",
    ({ book, call, offer, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "class", capacity: 3 })
        yield* call("sessions.create", { offering_id, starts_at: sessions[0], capacity: round % 2 === 0 ? null : 4 })
        const [slot] = yield* slots(offering_id)
        const orders = [2, 1, 2, 1, 1].map((quantity) => book({ offering_id, ...slot, quantity }))
        const { won } = sorted(yield* atOnce(round, orders))
        const seats = won.reduce((sum, { quantity }) => sum + quantity, 0)
        // Two seats may be refused to one and a single one then be left for nobody.
        assert.isAtLeast(seats, round % 2 === 0 ? 2 : 3)
      })
  ),

  race(
    "races/last-items",
    "rentals over different spans at once never need more items than there are",
    ({ book, call, offer, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({
          kind: "rental",
          capacity: 2,
          duration_minutes: 60,
          max_periods: 4,
          buffer_minutes: 30,
          slot_interval_minutes: 60
        })
        const starts = yield* slots(offering_id)
        const orders = [[0, 2], [1, 1], [1, 2], [2, 1], [0, 1]].map(([at = 0, periods]) =>
          book({ offering_id, ...starts[at], periods })
        )
        const { won } = sorted(yield* atOnce(round, orders))
        assert.isAtLeast(won.length, 2)
        yield* call("offerings.get", { id: offering_id })
      })
  ),

  race(
    "races/same-key",
    "the same request at once books once and gets one answer, another under its key is refused",
    ({ book, offer, orgId, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "appointment", capacity: 10 })
        const [slot, other] = yield* slots(offering_id)
        const wish = { offering_id, customer: { email: "ann@a.co" }, idempotency_key: freshId() }
        const same = yield* atOnce(round, Array.from({ length: 4 }, () => book({ ...wish, ...slot })))
        const { codes, won } = sorted(same)
        assert.deepStrictEqual(codes, [])
        assert.strictEqual(new Set(won.map(({ id }) => id)).size, 1)
        assert.strictEqual((yield* stored(orgId)).length, 1)

        const key = freshId()
        const either = yield* atOnce(
          round,
          [slot, other].map((slot) => book({ ...wish, ...slot, idempotency_key: key }))
        )
        assert.deepStrictEqual(sorted(either).codes, ["idempotency_conflict"])
      })
  ),

  race(
    "races/same-guest",
    "a new guest who books twice at once is one customer",
    ({ book, offer, orgId, slots }, round) =>
      Effect.gen(function*() {
        const offerings = yield* Effect.all([offer({ kind: "appointment" }), offer({ kind: "appointment" })])
        const orders = yield* Effect.forEach(
          offerings,
          (offering_id) =>
            Effect.map(slots(offering_id), ([slot]) => book({ offering_id, ...slot, customer: { email: "ann@a.co" } }))
        )
        const { codes } = sorted(yield* atOnce(round, orders))
        assert.deepStrictEqual(codes, [])
        assert.strictEqual((yield* guestsOf(orgId)).length, 1)
      })
  ),

  race(
    "races/upserts",
    "one address upserted twice at once is one customer",
    ({ call, orgId }, round) =>
      Effect.gen(function*() {
        const upsert = (name: string) => call("customers.upsert", { email: "ann@a.co", name })
        const { codes } = sorted(yield* atOnce(round, [upsert("Ann"), upsert("Anna"), upsert("Anne")]))
        assert.deepStrictEqual(codes, [])
        assert.strictEqual((yield* guestsOf(orgId)).length, 1)
      })
  ),

  race(
    "races/late-confirms",
    "of two holds of one place that have expired, one is confirmed",
    ({ book, booking, call, clock, offer, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "appointment" })
        const slot = (yield* slots(offering_id))[3]
        const first = yield* book({ offering_id, ...slot, hold_minutes: 5 })
        yield* clock.advance(6 * minute)
        const second = yield* book({ offering_id, ...slot, hold_minutes: 5 })
        yield* clock.advance(6 * minute)
        const { codes } = sorted(
          yield* atOnce(round, [first, second].map(({ id }) => call("bookings.confirm", { id })))
        )
        assert.deepStrictEqual(codes, ["hold_expired"])
        const states = yield* Effect.forEach(
          [first, second],
          ({ id }) => Effect.map(booking(id), ({ status }) => status)
        )
        assert.deepStrictEqual(states.toSorted(), ["confirmed", "held"])
      })
  ),

  race(
    "races/late-confirm-create",
    "an expired hold is confirmed or its place is sold, not both",
    ({ book, call, clock, offer, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "appointment" })
        const slot = (yield* slots(offering_id))[3]
        const { id } = yield* book({ offering_id, ...slot, hold_minutes: 5 })
        yield* clock.advance(6 * minute)
        const { won } = sorted(
          yield* atOnce<unknown, never>(round, [call("bookings.confirm", { id }), book({ offering_id, ...slot })])
        )
        assert.strictEqual(won.length, 1)
      })
  ),

  race(
    "races/move-create",
    "a place is moved to or sold, not both",
    ({ book, call, offer, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "appointment" })
        const [from, to] = yield* slots(offering_id)
        const { id } = yield* book({ offering_id, ...from })
        const { codes, won } = sorted(
          yield* atOnce<unknown, never>(round, [call("bookings.move", { id, ...to }), book({ offering_id, ...to })])
        )
        assert.strictEqual(won.length, 1)
        assert.deepStrictEqual(codes, full)
      })
  ),

  race(
    "races/moves-cross",
    "two bookings that change places at once both end, and no place is sold twice",
    ({ book, call, offer, orgId, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "class", capacity: 2 })
        yield* Effect.forEach(sessions, (starts_at) => call("sessions.create", { offering_id, starts_at }))
        const [here, there] = yield* slots(offering_id)
        const [one, two] = yield* Effect.all([book({ offering_id, ...here }), book({ offering_id, ...there })])
        const { codes } = sorted(
          yield* atOnce(round, [
            call("bookings.move", { id: one.id, ...there }),
            call("bookings.move", { id: two.id, ...here })
          ])
        )
        assert.deepStrictEqual(codes, [])
        const places = (yield* stored(orgId)).map(({ sessionId }) => sessionId)
        assert.strictEqual(new Set(places).size, 2)
      })
  ),

  race(
    "races/moves-meet",
    "of two bookings that move to one place at once, one gets there",
    ({ book, call, offer, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "appointment" })
        const [one, two, to] = yield* slots(offering_id)
        const booked = yield* Effect.forEach([one, two], (slot) => book({ offering_id, ...slot }))
        const moves = booked.map(({ id }) => call("bookings.move", { id, ...to }))
        assert.deepStrictEqual(sorted(yield* atOnce(round, moves)).codes, full)
      })
  ),

  race(
    "races/session-cancel",
    "nobody stays booked in a session that was cancelled meanwhile",
    ({ book, call, offer, orgId, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "class" })
        yield* Effect.forEach(sessions, (starts_at) => call("sessions.create", { offering_id, starts_at }))
        const [slot, other] = yield* slots(offering_id)
        const { id } = yield* book({ offering_id, ...other })
        yield* atOnce<unknown, never>(round, [
          book({ offering_id, ...slot }),
          call("sessions.cancel", { id: slot !== undefined && "session_id" in slot ? slot.session_id : "" }),
          call("bookings.move", { id, ...slot }),
          book({ offering_id, ...slot })
        ])
        const inside = (yield* stored(orgId)).filter(({ sessionId }) =>
          slot !== undefined && "session_id" in slot && sessionId === slot.session_id
        )
        assert.deepStrictEqual(inside.filter(({ status }) => status !== "cancelled"), [])
      })
  ),

  race(
    "races/offering-delete",
    "nobody stays booked with an offering that was deleted meanwhile",
    ({ book, call, offer, orgId, slots }, round) =>
      Effect.gen(function*() {
        const id = yield* offer({ kind: round % 2 === 0 ? "appointment" : "class", capacity: 5 })
        if (round % 2 !== 0) yield* call("sessions.create", { offering_id: id, starts_at: sessions[0] })
        const [slot] = yield* slots(id)
        const sell = book({ offering_id: id, ...slot })
        yield* atOnce<unknown, never>(round, [
          sell,
          call("offerings.delete", { id, cancel_bookings: true }),
          sell,
          sell
        ])
        assert.deepStrictEqual((yield* stored(orgId)).filter(({ status }) => status !== "cancelled"), [])
      })
  ),

  race(
    "races/capacity",
    "what is sold after a capacity was lowered fits into what is left",
    ({ book, call, offer, slots }, round) =>
      Effect.gen(function*() {
        const id = yield* offer({ kind: "appointment", capacity: 4 })
        const [slot] = yield* slots(id)
        const sell = book({ offering_id: id, ...slot })
        // The invariants read in the feed which of them came first.
        yield* atOnce<unknown, never>(round, [sell, sell, call("offerings.update", { id, capacity: 1 }), sell, sell])
      })
  ),

  race(
    "races/class-capacity",
    "what is sold of a class after its capacity was lowered fits into what is left",
    ({ book, call, offer, slots }, round) =>
      Effect.gen(function*() {
        const id = yield* offer({ kind: "class", capacity: 4 })
        yield* call("sessions.create", { offering_id: id, starts_at: sessions[0] })
        const [slot] = yield* slots(id)
        const sell = book({ offering_id: id, ...slot })
        yield* atOnce<unknown, never>(round, [sell, sell, call("offerings.update", { id, capacity: 1 }), sell, sell])
      })
  ),

  race(
    "races/pause",
    "nothing is sold of an appointment that was paused before",
    (scene, round) =>
      Effect.flatMap(scene.offer({ kind: "appointment", capacity: 4 }), (id) => pausing(scene, id, round))
  ),

  race(
    "races/class-pause",
    "nothing is sold of a class that was paused before",
    (scene, round) =>
      Effect.gen(function*() {
        const id = yield* scene.offer({ kind: "class", capacity: 4 })
        yield* scene.call("sessions.create", { offering_id: id, starts_at: sessions[0] })
        yield* pausing(scene, id, round)
      })
  ),

  race(
    "races/sweep-confirm",
    "a hold of yesterday is swept or confirmed, not both",
    ({ book, booking, bookings, call, clock, offer, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "appointment" })
        const slot = (yield* slots(offering_id)).at(-1)
        const { id } = yield* book({ offering_id, ...slot, hold_minutes: 5 })
        yield* clock.advance(25 * 60 * minute)
        const [confirmed] = yield* atOnce<unknown, never>(round, [call("bookings.confirm", { id }), bookings.sweep(10)])
        const { status } = yield* booking(id)
        assert.strictEqual(status, confirmed !== undefined && Either.isRight(confirmed) ? "confirmed" : "cancelled")
      })
  ),

  race(
    "races/pay-create",
    "a payment that lands when its hold is over gets the place or goes back, and the place is sold once",
    ({ book, bookings, clock, offer, orgId, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "appointment" })
        const slot = (yield* slots(offering_id))[3]
        const { id } = yield* book({ offering_id, ...slot, hold_minutes: 5 })
        yield* clock.advance(6 * minute)
        const pay = bookings.pay({ orgId, id }, "pi_1")
        yield* atOnce<unknown, never>(round, [pay, book({ offering_id, ...slot }), pay])
        const live = (yield* stored(orgId)).filter(({ status }) => status === "confirmed")
        assert.strictEqual(live.length, 1)
      })
  ),

  race(
    "races/erase-create",
    "a booking made while its guest is erased keeps nothing of them",
    ({ book, call, offer, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "appointment", capacity: 5 })
        const [slot] = yield* slots(offering_id)
        const { customer_id } = yield* book({ offering_id, ...slot, customer: { email: "ann@a.co", name: "Ann" } })
        const { customer: _, ...again } = {
          customer: null,
          offering_id,
          ...slot,
          customer_id,
          notes: "Ann is allergic"
        }
        const create = call("bookings.create", again)
        const { codes } = sorted(yield* atOnce(round, [create, call("customers.delete", { id: customer_id }), create]))
        assert.isTrue(codes.every((code) => code === "customer_erased"))
      })
  ),

  race(
    "races/resend",
    "a confirmation that is asked for again twice at once is sent once",
    ({ book, call, offer, slots }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "appointment" })
        const [slot] = yield* slots(offering_id)
        const { id } = yield* book({ offering_id, ...slot })
        const resend = call("bookings.resend", { id })
        assert.deepStrictEqual(sorted(yield* atOnce(round, [resend, resend, resend])).codes, [
          "resend_limited",
          "resend_limited"
        ])
      })
  )
]
