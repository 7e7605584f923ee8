/**
 * Tests requests that compete for the same place. Every pair of requests here oversells if a place is checked without
 * holding its lock.
 */
import * as Instant from "@trailbook/core/time/Instant"
import { origin } from "@trailbook/testkit/generator/moment"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { minuteMs, race, runConcurrently, sessionStarts } from "./TwoServerFixture.ts"

const slotFullCodes = ["slot_full"]

export const placeRaces = [
  race(
    "races/last-places",
    "sells exactly the available number of appointments to concurrent requests",
    function*({ book, offered }, round) {
      const capacity = 1 + round % 3
      const { offering_id, slots: [slot] } = yield* offered({ kind: "appointment", capacity })
      const { codes, won } = yield* runConcurrently(
        round,
        Array.from({ length: 6 }, () => book({ offering_id, ...slot }))
      )
      assert.strictEqual(won.length, capacity)
      assert.deepStrictEqual([...new Set(codes)], slotFullCodes)
    }
  ),

  race(
    "races/last-seats",
    "sells exactly the available seats of a session to concurrent requests",
    function*({ book, call, offer, slots }, round) {
      const offering_id = yield* offer({ kind: "class", capacity: 3 })
      yield* call("sessions.create", { offering_id, starts_at: sessionStarts[0], capacity: round % 2 === 0 ? null : 4 })
      const [slot] = yield* slots(offering_id)
      const orders = [2, 1, 2, 1, 1].map((quantity) => book({ offering_id, ...slot, quantity }))
      const { won } = yield* runConcurrently(round, orders)
      const seats = won.reduce((sum, { quantity }) => sum + quantity, 0)
      // A request for two seats may be refused even though one seat is still free.
      assert.isAtLeast(seats, round % 2 === 0 ? 2 : 3)
    }
  ),

  race(
    "races/walk-ins",
    "sells only the free seats to concurrent walk-ins up to 60 minutes after the start, and creates a guest for each",
    function*({ book, call, clock, guests, offered }, round) {
      const settings = { kind: "class", capacity: 3, min_notice_minutes: 120, max_advance_days: 3 }
      const { offering_id, slots: [slot] } = yield* offered(settings, [sessionStarts[0] ?? ""])
      const walkIn = { offering_id, ...slot, walk_in: true, customer: { name: "Ada" } }
      yield* clock.set(Instant.addMinutes(origin, 25 * 60))
      const others = [
        book({ offering_id, ...slot }),
        book({ ...walkIn, walk_in: false }),
        book({ ...walkIn, customer: {} })
      ]
      assert.deepStrictEqual((yield* runConcurrently(round, others)).codes.toSorted(), [
        "invalid_request",
        "invalid_request",
        "slot_unavailable"
      ])
      const { codes, won } = yield* runConcurrently(round, Array.from({ length: 6 }, () => book(walkIn)))
      assert.deepStrictEqual([...new Set(codes)], slotFullCodes)
      assert.deepStrictEqual(
        won.map(({ customer, status }) => [status, customer.name, customer.email]),
        Array.from({ length: 3 }, () => ["confirmed", "Ada", ""])
      )
      const people = yield* guests
      assert.strictEqual(people.length, 3)
      yield* call("bookings.cancel", { id: won[0]?.id })
      yield* clock.advance(1)
      assert.deepStrictEqual((yield* runConcurrently(round, [book(walkIn)])).codes, ["slot_unavailable"])
    }
  ),

  race(
    "races/network",
    "limits unproven bookings from one network to 6 seats, even if two processes book concurrently",
    function*({ offered, visit }, round) {
      const starts = [24, 48, 72, 96, 120].map((hours) => Instant.format(Instant.addMinutes(origin, hours * 60)))
      const { offering_id, slots } = yield* offered({ kind: "class", capacity: 40 }, starts)
      const quantity = 1 + round % 3
      const orders = [...slots, ...slots].map((slot) => visit("network", { offering_id, ...slot, quantity }))
      const { codes, won } = yield* runConcurrently(round, orders)
      assert.strictEqual(won.length, Math.floor(6 / quantity))
      assert.deepStrictEqual([...new Set(codes)], ["email_unproven"])
      yield* visit("other network", { offering_id, ...slots[0], quantity })
    }
  ),

  race(
    "races/departure-share",
    "limits concurrent unproven bookings from many networks to a quarter of the seats of a departure",
    function*({ book, offered, visit }, round) {
      const { offering_id, slots: [slot] } = yield* offered({ kind: "class", capacity: 40 }, [sessionStarts[0] ?? ""])
      const orders = Array.from({ length: 8 }, (_, at) => {
        const network = round % 2 === 0 ? `network ${at}` : undefined
        return visit(network, { offering_id, ...slot, quantity: 3 })
      })
      const { codes, won } = yield* runConcurrently(round, orders)
      assert.deepStrictEqual([won.length, [...new Set(codes)]], [3, ["email_unproven"]])
      yield* book({ offering_id, ...slot, quantity: 10 })
    }
  ),

  race(
    "races/last-items",
    "never rents out more items than exist when concurrent rentals cover different spans",
    function*({ book, offer, slots }, round) {
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
      const { won } = yield* runConcurrently(round, orders)
      assert.isAtLeast(won.length, 2)
    }
  ),

  race(
    "races/late-confirms",
    "confirms only one of two expired holds for the same place",
    function*({ book, booking, call, clock, offer, slots }, round) {
      const offering_id = yield* offer({ kind: "appointment" })
      const slot = (yield* slots(offering_id))[3]
      const first = yield* book({ offering_id, ...slot, hold_minutes: 5 })
      yield* clock.advance(6 * minuteMs)
      const second = yield* book({ offering_id, ...slot, hold_minutes: 5 })
      yield* clock.advance(6 * minuteMs)
      const { codes } = yield* runConcurrently(round, [first, second].map(({ id }) => call("bookings.confirm", { id })))
      assert.deepStrictEqual(codes, ["hold_expired"])
      const states = yield* Effect.forEach([first, second], ({ id }) => Effect.map(booking(id), ({ status }) => status))
      assert.deepStrictEqual(states.toSorted(), ["confirmed", "held"])
    }
  ),

  race(
    "races/late-confirm-create",
    "either confirms an expired hold or sells its place, never both",
    function*({ book, call, clock, offer, slots }, round) {
      const offering_id = yield* offer({ kind: "appointment" })
      const slot = (yield* slots(offering_id))[3]
      const { id } = yield* book({ offering_id, ...slot, hold_minutes: 5 })
      yield* clock.advance(6 * minuteMs)
      const { won } = yield* runConcurrently<unknown, never>(round, [
        call("bookings.confirm", { id }),
        book({ offering_id, ...slot })
      ])
      assert.strictEqual(won.length, 1)
    }
  ),

  race(
    "races/restore",
    "restores canceled bookings for 64 concurrent callers only while their places are free",
    function*({ book, booking, call, offered, stored }, round) {
      const isClass = round % 2 === 0
      const { offering_id, slots: [slot] } = yield* offered(
        { kind: isClass ? "class" : "rental", capacity: 5, duration_minutes: 60, price_cents: 1000 },
        isClass ? sessionStarts : []
      )
      const canceledBookings = yield* Effect.forEach(
        [1, 2, 3, 4, 1, 2, 3, 4],
        (quantity) => Effect.tap(book({ offering_id, ...slot, quantity }), ({ id }) => call("bookings.cancel", { id }))
      )
      const restores = canceledBookings.map(({ id }) => call("bookings.restore", { id }))
      const { codes } = yield* runConcurrently<unknown, never>(round, [
        ...Array.from({ length: 7 }, () => restores).flat(),
        ...Array.from({ length: 8 }, (_, at) => book({ offering_id, ...slot, quantity: 1 + at % 2 }))
      ])
      assert.deepStrictEqual([...new Set(codes)], slotFullCodes)
      const seats = (yield* stored).reduce(
        (sum, { quantity, status }) => status === "confirmed" ? sum + quantity : sum,
        0
      )
      // Requests for single seats take every remaining seat.
      assert.strictEqual(seats, 5)
      for (const { id, quantity } of canceledBookings) {
        const { due_cents, status } = yield* booking(id)
        assert.strictEqual(due_cents, status === "confirmed" ? 1000 * quantity : 0)
      }
    }
  ),

  race(
    "races/restore-limits",
    "restores a booking until 24 hours after its cancellation, on an open date, and never takes a refund back",
    function*({ book, booking, bookings, call, clock, offered, orgId }, round) {
      const { offering_id, slots: [slot] } = yield* offered(
        { kind: "class", capacity: 2, price_cents: 1000 },
        [Instant.format(Instant.addMinutes(origin, 50 * 60))]
      )
      const { id } = yield* book({ offering_id, ...slot, quantity: 2 })
      yield* bookings.pay({ orgId, id }, "intent")
      yield* call("bookings.cancel", { id })
      const restore = call("bookings.restore", { id })
      const expectRefused = (code: string) =>
        Effect.map(
          runConcurrently(round, [restore, restore]),
          ({ codes }) => assert.deepStrictEqual(codes, [code, code])
        )
      const { id: closure } = (yield* call("closures.create", {
        from_date: "2027-01-01",
        to_date: "2027-12-31",
        reason: "High water"
      })) as { readonly id: string }
      yield* expectRefused("slot_unavailable")
      yield* call("closures.delete", { id: closure })
      yield* call("offerings.update", { id: offering_id, active: false })
      yield* expectRefused("offering_paused")
      yield* call("offerings.update", { id: offering_id, active: true })
      yield* clock.advance(24 * 60 * minuteMs)
      assert.deepStrictEqual((yield* runConcurrently(round, [restore, restore])).codes, [])
      const { due_cents, kept_cents, paid_cents, refund, status } = yield* booking(id)
      assert.deepStrictEqual(
        [status, paid_cents, due_cents, kept_cents, refund?.cents],
        ["confirmed", 0, 2000, null, 2000]
      )
      yield* call("bookings.cancel", { id })
      yield* clock.advance(24 * 60 * minuteMs + 1)
      yield* expectRefused("booking_cancelled")
    }
  ),

  race(
    "races/move-create",
    "either moves a booking to a place or sells that place, never both",
    function*({ book, call, offered }, round) {
      const { offering_id, slots: [from, to] } = yield* offered({ kind: "appointment" })
      const { id } = yield* book({ offering_id, ...from })
      const { codes, won } = yield* runConcurrently<unknown, never>(round, [
        call("bookings.move", { id, ...to }),
        book({ offering_id, ...to })
      ])
      assert.strictEqual(won.length, 1)
      assert.deepStrictEqual(codes, slotFullCodes)
    }
  ),

  race(
    "races/moves-cross",
    "completes two moves that swap places, and sells no place twice",
    function*({ book, call, offered, stored }, round) {
      const { offering_id, slots: [here, there] } = yield* offered({ kind: "class", capacity: 2 }, sessionStarts)
      const [one, two] = yield* Effect.all([book({ offering_id, ...here }), book({ offering_id, ...there })])
      const { codes } = yield* runConcurrently(round, [
        call("bookings.move", { id: one.id, ...there }),
        call("bookings.move", { id: two.id, ...here })
      ])
      assert.deepStrictEqual(codes, [])
      const places = (yield* stored).map(({ sessionId }) => sessionId)
      assert.strictEqual(new Set(places).size, 2)
    }
  ),

  race(
    "races/moves-meet",
    "moves only one of two bookings to the same place",
    function*({ book, call, offered }, round) {
      const { offering_id, slots: [one, two, to] } = yield* offered({ kind: "appointment" })
      const bookings = yield* Effect.forEach([one, two], (slot) => book({ offering_id, ...slot }))
      const moves = bookings.map(({ id }) => call("bookings.move", { id, ...to }))
      assert.deepStrictEqual((yield* runConcurrently(round, moves)).codes, slotFullCodes)
    }
  ),

  race(
    "races/sweep-confirm",
    "either sweeps or confirms a hold that expired a day ago, never both",
    function*({ book, booking, bookings, call, clock, offer, slots }, round) {
      const offering_id = yield* offer({ kind: "appointment" })
      const slot = (yield* slots(offering_id)).at(-1)
      const { id } = yield* book({ offering_id, ...slot, hold_minutes: 5 })
      yield* clock.advance(25 * 60 * minuteMs)
      const { codes } = yield* runConcurrently<unknown, never>(round, [
        call("bookings.confirm", { id }),
        bookings.sweep(10)
      ])
      const { status } = yield* booking(id)
      assert.strictEqual(status, codes.length === 0 ? "confirmed" : "cancelled")
    }
  ),

  race(
    "races/pay-create",
    "either gives the place to a late payment or refunds the payment, and sells the place once",
    function*({ book, bookings, clock, offer, orgId, slots, stored }, round) {
      const offering_id = yield* offer({ kind: "appointment" })
      const slot = (yield* slots(offering_id))[3]
      const { id } = yield* book({ offering_id, ...slot, hold_minutes: 5 })
      yield* clock.advance(6 * minuteMs)
      const pay = bookings.pay({ orgId, id }, "pi_1")
      yield* runConcurrently<unknown, never>(round, [pay, book({ offering_id, ...slot }), pay])
      const live = (yield* stored).filter(({ status }) => status === "confirmed")
      assert.strictEqual(live.length, 1)
    }
  )
]
