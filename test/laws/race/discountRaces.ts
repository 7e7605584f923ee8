/** Tests discount codes that are changed and used concurrently. */
import type { Refusal } from "@trailbook/core"
import { type Booking, BookingView } from "@trailbook/core/booking"
import { origin } from "@trailbook/testkit/generator/moment"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { assert } from "vitest"
import { decodeAnswer, minuteMs, race, runConcurrently, sessionStarts } from "./TwoServerFixture.ts"

/** Returns the refusal code. */
const findCode = <A>(result: Effect.Effect<A, Refusal>) =>
  Effect.map(Effect.either(result), (either) => Either.isLeft(either) ? either.left.code : undefined)

export const discountRaces = [
  race(
    "races/discount-code",
    "creates each discount code once, even while another code is renamed to it",
    function*({ call, orgId }) {
      yield* call("discounts.create", { code: "other", percent_bps: 1000 })
      const [other] = yield* Store.discounts.list({ orgId, limit: 1 })
      const create = Effect.either(call("discounts.create", { code: " spring ", cents: 500 }))
      const rename = Effect.either(call("discounts.update", { id: other?.id ?? "", code: "Spring" }))
      const results = yield* Effect.all([create, rename, create, create], { concurrency: "unbounded" })
      assert.strictEqual(results.filter(Either.isRight).length, 1)
      const discounts = yield* Store.discounts.list({ orgId, limit: 10 })
      assert.strictEqual(discounts.filter(({ code }) => code === "SPRING").length, 1)
    }
  ),

  race(
    "races/discount-uses",
    "accepts a code in 64 concurrent bookings of several departures exactly as often as it has uses left",
    function*({ book, call, offered, orgId }, round) {
      const { offering_id, slots } = yield* offered({ kind: "class", capacity: 99, price_cents: 1000 }, sessionStarts)
      yield* call("discounts.create", { code: "SPRING", percent_bps: 5000, max_uses: 12 })
      const [slot] = slots
      yield* book({ offering_id, ...slot, discount_code: "spring" })
      yield* book({ offering_id, ...slot, discount_code: "SPRING", hold_minutes: 60 })
      const { codes, won } = yield* runConcurrently(
        round,
        Array.from(
          { length: 64 },
          (_, at) => book({ offering_id, ...slots[at % slots.length], discount_code: "SPRING" })
        )
      )
      assert.lengthOf(won, 10)
      assert.deepStrictEqual([...new Set(codes)], ["discount_invalid"])
      assert.isTrue(won.every(({ total_cents }) => total_cents === 500))
      const discounts = yield* Store.discounts.list({ orgId, limit: 1 })
      assert.strictEqual((yield* Store.discounts.uses(discounts, origin))[0]?.uses, 12)
    }
  ),

  race(
    "races/discount-changes",
    "accepts a code in concurrent new and changed bookings exactly as often as it has uses left, and keeps its terms",
    function*({ book, booking, call, offered, orgId, stored }, round) {
      const { offering_id, slots } = yield* offered({ kind: "class", capacity: 99, price_cents: 1000 }, sessionStarts)
      yield* call("discounts.create", { code: "SPRING", percent_bps: 5000, max_uses: 10 })
      yield* call("discounts.create", { code: "OTHER", percent_bps: 1000 })
      const pickSlot = (at: number) => slots[at % slots.length]
      const bookings = yield* Effect.all(
        Array.from(
          { length: 16 },
          (_, at) => book({ offering_id, ...pickSlot(at), ...(at % 4 === 0 ? { discount_code: "OTHER" } : {}) })
        ),
        { concurrency: "unbounded" }
      )
      const update = (id: string | undefined, discount_code: string | null) =>
        call("bookings.update", { id, discount_code })
      const { codes, won } = yield* runConcurrently<unknown, never>(round, [
        ...bookings.map(({ id }) => update(id, " spring ")),
        ...Array.from({ length: 48 }, (_, at) => book({ offering_id, ...pickSlot(at), discount_code: "SPRING" }))
      ])
      assert.lengthOf(won, 10)
      assert.deepStrictEqual([...new Set(codes)], ["discount_invalid"])
      const isUser = ({ price }: Booking) => price?.terms.discount?.code === "SPRING"
      const users = (yield* stored).filter(isUser)
      assert.deepStrictEqual(users.map(({ totalCents }) => totalCents), Array(10).fill(500))

      const spring = (yield* Store.discounts.list({ orgId, limit: 2 })).find(({ code }) => code === "SPRING")
      yield* call("discounts.update", { id: spring?.id, percent_bps: 1000 })
      const [user] = users
      // When a booking changes, its own use of the code does not count toward the code's limit.
      yield* call("bookings.update", { id: user?.id, discount_code: "SPRING", quantity: 3 })
      assert.strictEqual((yield* booking(user?.id ?? "")).total_cents, 1500)
      const other = (yield* stored).find((one) => !isUser(one))?.id ?? ""
      assert.strictEqual(yield* findCode(update(other, "SPRING")), "discount_invalid")
      yield* update(user?.id, null)
      assert.strictEqual((yield* booking(user?.id ?? "")).total_cents, 3000)
      yield* update(other, "SPRING")
      assert.strictEqual((yield* booking(other)).total_cents, 900)
    }
  ),

  race(
    "races/discount-restores",
    "accepts a code in concurrent new and restored bookings exactly as often as it has uses left",
    function*({ book, call, offered, orgId }, round) {
      const { offering_id, slots } = yield* offered({ kind: "class", capacity: 99, price_cents: 1000 }, sessionStarts)
      const returns_on_cancel = round % 2 === 0
      yield* call("discounts.create", { code: "SPRING", percent_bps: 5000, max_uses: 5, returns_on_cancel })
      const bookOn = (at: number) => book({ offering_id, ...slots[at % slots.length], discount_code: "SPRING" })
      const canceledBookings = yield* Effect.forEach(
        Array.from({ length: 5 }, (_, at) => at),
        (at) => Effect.tap(bookOn(at), ({ id }) => call("bookings.cancel", { id }))
      )
      const { codes, won } = yield* runConcurrently<unknown, never>(round, [
        ...canceledBookings.map(({ id }) => call("bookings.restore", { id })),
        ...Array.from({ length: 59 }, (_, at) => bookOn(at))
      ])
      assert.lengthOf(won, 5)
      assert.deepStrictEqual([...new Set(codes)], ["discount_invalid"])
      const discounts = yield* Store.discounts.list({ orgId, limit: 1 })
      assert.strictEqual((yield* Store.discounts.uses(discounts, origin))[0]?.uses, 5)
    }
  ),

  race(
    "races/discount-returns",
    "returns the use of an expired hold and of a canceled booking, and keeps the price of a late confirmation",
    function*({ book, call, clock, offered }, round) {
      const { offering_id, slots: [slot] } = yield* offered(
        { kind: "class", capacity: 99, price_cents: 1000 },
        sessionStarts
      )
      const returns_on_cancel = round % 2 === 0
      yield* call("discounts.create", { code: "ONCE", cents: 300, max_uses: 1, returns_on_cancel })
      const order = { offering_id, ...slot, discount_code: "ONCE" }
      const hold = yield* book({ ...order, hold_minutes: 30 })
      assert.strictEqual(yield* findCode(book(order)), "discount_invalid")
      yield* clock.advance(31 * minuteMs)
      const booking = yield* book(order)
      const late = yield* decodeAnswer(BookingView)(call("bookings.confirm", { id: hold.id }))
      assert.deepStrictEqual([late.total_cents, booking.total_cents], [700, 700])
      assert.strictEqual(yield* findCode(book(order)), "discount_invalid")
      yield* call("bookings.cancel", { id: hold.id })
      yield* call("bookings.cancel", { id: booking.id })
      const again = yield* Effect.either(book(order))
      assert.strictEqual(Either.isRight(again), returns_on_cancel)
    }
  )
]
