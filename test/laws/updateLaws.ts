/**
 * Tests booking changes across two servers. A larger party needs capacity, and the amounts must match their formulas.
 */
import * as Instant from "@trailbook/core/time/Instant"
import { origin } from "@trailbook/testkit/generator/moment"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { race, runConcurrently, sessionStarts } from "./race/TwoServerFixture.ts"

export const updateLaws = [
  race(
    "updates/capacity",
    "never oversells while parties change size and new parties book",
    function*({ book, booking, call, offered, stored }, round) {
      const isClass = round % 2 === 0
      const { offering_id, slots: [slot] } = yield* offered(
        { kind: isClass ? "class" : "rental", capacity: 9, duration_minutes: 60 },
        isClass ? sessionStarts : []
      )
      const parties = yield* Effect.all([2, 2, 2, 2].map((quantity) => book({ offering_id, ...slot, quantity })))
      const [grownId, largerId, smallerId, canceledId] = parties.map(({ id }) => id)
      const update = (id: string | undefined, quantity: number) => call("bookings.update", { id, quantity })
      const { codes } = yield* runConcurrently<unknown, never>(round, [
        update(grownId, 3),
        update(largerId, 4),
        update(smallerId, 1),
        book({ offering_id, ...slot, quantity: 1 }),
        call("bookings.cancel", { id: canceledId }),
        book({ offering_id, ...slot, quantity: 2 }),
        update(grownId, 4)
      ])
      assert.isTrue(codes.every((code) => code === "slot_full"))
      const live = (yield* stored).filter(({ status }) => status === "confirmed")
      assert.isAtMost(live.reduce((sum, { quantity }) => sum + quantity, 0), 9)
      assert.strictEqual((yield* booking(smallerId ?? "")).quantity, 1)
      // A booking's own seats count as free when it changes.
      const free = 9 - live.reduce((sum, { id, quantity }) => id === smallerId ? sum : sum + quantity, 0)
      yield* update(smallerId, free)
      const { codes: [refusalCode] } = yield* runConcurrently(round, [update(smallerId, free + 1)])
      assert.strictEqual(refusalCode, "slot_full")
    }
  ),

  race(
    "updates/erased",
    "writes no notes or names into an erased guest's booking",
    function*({ book, booking, call, offered }, round) {
      const { offering_id, slots: [slot] } = yield* offered({ kind: "class", capacity: 9 }, sessionStarts)
      const { customer_id, id } = yield* book({ offering_id, ...slot })
      const change = { id, notes: "Bad knee", staff_notes: "Ann's friend", adjustments: [{ name: "Ann", cents: 100 }] }
      // The erasure empties these notes, so their events become identical.
      for (const notes of ["One of us is afraid of water", "No one is"]) yield* call("bookings.update", { id, notes })
      const erase = call("customers.delete", { id: customer_id })
      yield* runConcurrently<unknown, never>(round, [erase, call("bookings.update", change)])
      const { codes } = yield* runConcurrently<unknown, never>(round, [call("bookings.update", change)])
      assert.deepStrictEqual(codes, ["customer_erased"])
      const { lines, notes, staff_notes } = yield* booking(id)
      assert.deepStrictEqual([notes, staff_notes], ["", ""])
      assert.notInclude(JSON.stringify(lines ?? []), "Ann")
    }
  ),

  race(
    "updates/money",
    "keeps received money when the price changes, so that total = paid + due - owed",
    function*({ book, booking, bookings, call, offered, orgId }, round) {
      const { offering_id, slots: [slot] } = yield* offered(
        { kind: "class", capacity: 9, price_cents: 1000 },
        sessionStarts
      )
      const { id } = yield* book({ offering_id, ...slot, quantity: 5 })
      const isOnline = round % 2 === 0
      const pay = isOnline
        ? bookings.pay({ orgId, id }, "intent")
        : call("payments.record", { id, method: "cash", amount_cents: 5000 })
      if (isOnline) yield* pay
      const adjustments = [{ name: "Late return", cents: 250 }]
      const { codes } = yield* runConcurrently<unknown, never>(round, [
        ...isOnline ? [] : [pay],
        call("bookings.update", { id, quantity: 3 }),
        call("bookings.update", { id, adjustments }),
        call("bookings.update", { id, staff_notes: "Boat 2" })
      ])
      // If the party shrinks first, less is due, so this amount is too large.
      assert.isTrue(codes.every((code) => code === "amount_too_large"))
      if (codes.length > 0) {
        yield* call("payments.record", { id, method: "cash", amount_cents: 5000, allow_overpayment: true })
      }
      const { adjustments: storedAdjustments, due_cents, owed_cents, paid_cents, quantity, total_cents } =
        yield* booking(id)
      assert.deepStrictEqual([quantity, total_cents, paid_cents, due_cents, owed_cents], [3, 3250, 5000, 0, 1750])
      assert.deepStrictEqual(storedAdjustments, adjustments)
      yield* call("bookings.cancel", { id })
      const canceledBooking = yield* booking(id)
      assert.deepStrictEqual(
        [canceledBooking.refund?.cents, canceledBooking.paid_cents, canceledBooking.owed_cents],
        isOnline ? [5000, 0, 0] : [undefined, 5000, 5000]
      )
    }
  ),

  race(
    "updates/attendance",
    "limits arrivals to the party size, even if the size changes after the start",
    function*({ book, booking, call, clock, offered }, round) {
      const { offering_id, slots: [slot] } = yield* offered({ kind: "class", capacity: 4 }, sessionStarts)
      const { id } = yield* book({ offering_id, ...slot, quantity: 3 })
      yield* clock.set(Instant.addMinutes(origin, 24 * 60 + 10))
      const checkIn = (arrived: number) => call("bookings.check_in", { id, arrived })
      yield* checkIn(3)
      const { codes } = yield* runConcurrently(round, [call("bookings.update", { id, quantity: 2 }), checkIn(2)])
      assert.deepStrictEqual(codes, [])
      assert.strictEqual((yield* booking(id)).attendance?.arrived, 2)
      const grow = [4, 3, 4].map((quantity) => call("bookings.update", { id, quantity }))
      assert.deepStrictEqual((yield* runConcurrently(round, grow)).codes, [])
      assert.strictEqual((yield* booking(id)).attendance?.arrived, 2)
      const { codes: [full] } = yield* runConcurrently(round, [call("bookings.update", { id, quantity: 5 })])
      assert.strictEqual(full, "slot_full")
    }
  )
]
