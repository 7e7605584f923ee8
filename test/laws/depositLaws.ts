/** Tests deposits across two servers: the checkout charges the deposit, and the rest is due later. */
import { BookingView } from "@trailbook/core/booking"
import { sumRefundedCents } from "@trailbook/core/payment"
import { QuoteView } from "@trailbook/core/pricing"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { decodeAnswer, race, runConcurrently, sessionStarts } from "./race/TwoServerFixture.ts"

export const depositLaws = [
  race(
    "races/deposit",
    "requests only the deposit until the balance is due, and counts the deposit once",
    function*({ book, booking, bookings, call, offered, orgId, payments: fakePayments }, round) {
      const org = yield* Effect.orDie(Effect.flatten(Store.orgs.find(orgId)))
      yield* Store.orgs.put({ ...org, plan: "pro" })
      yield* fakePayments.connect(orgId, true)
      const rates = [{ id: "seat", name: "Seat", price_cents: 1000, places: 1 }]
      // The sessions start in 24 and 48 hours.
      const deposit = { percent_bps: 2500, balance_due_hours: 30 }
      const { offering_id, slots } = yield* offered(
        { kind: "class", capacity: 9, pricing: { rates, deposit } },
        sessionStarts
      )
      const dues = []
      for (const slot of slots) {
        const order = { offering_id, ...slot, quantity: 2 }
        const { due_now_cents } = yield* decodeAnswer(QuoteView)(call("bookings.quote", order))
        const { id, status } = yield* book(order)
        const [payment] = yield* Store.payments.ofBookings([{ orgId, id }])
        assert.deepStrictEqual([status, payment?.cents], ["held", due_now_cents])
        dues.push(due_now_cents)
      }
      assert.deepStrictEqual(dues, [2000, 500])
      const { id } = yield* book({ offering_id, ...slots[1], quantity: 2 })
      const pay = Effect.asVoid(bookings.pay({ orgId, id }, "intent"))
      yield* runConcurrently(round, [
        pay,
        Effect.asVoid(call("payments.record", { id, method: "cash", amount_cents: 300 })),
        pay
      ])
      const paidBooking = yield* booking(id)
      assert.deepStrictEqual([
        paidBooking.status,
        paidBooking.paid_cents,
        paidBooking.due_cents,
        paidBooking.owed_cents
      ], [
        "confirmed",
        800,
        1200,
        0
      ])
      const rest = call("payments.record", { id, method: "card", amount_cents: 1200 })
      const { codes } = yield* runConcurrently(round, [rest, rest])
      assert.deepStrictEqual(codes, ["amount_too_large"])
      const outcome = yield* decodeAnswer(BookingView)(call("bookings.cancel", { id }))
      assert.deepStrictEqual([outcome.refund?.cents, outcome.paid_cents, outcome.owed_cents], [500, 1500, 1500])
    }
  ),
  race(
    "races/balance",
    "opens one balance checkout, and never keeps more than the amount due",
    function*({ ahead, behind, book, booking, bookings, call, offered, orgId, payments: fakePayments }, round) {
      const org = yield* Effect.orDie(Effect.flatten(Store.orgs.find(orgId)))
      yield* Store.orgs.put({ ...org, plan: "pro" })
      yield* fakePayments.connect(orgId, true)
      const rates = [{ id: "seat", name: "Seat", price_cents: 1000, places: 1 }]
      const deposit = { percent_bps: 2500, balance_due_hours: 1 }
      const { offering_id, slots } = yield* offered(
        { kind: "class", capacity: 9, pricing: { rates, deposit } },
        sessionStarts
      )
      const { handle, id } = yield* book({ offering_id, ...slots[0], quantity: 2 })
      yield* bookings.pay({ orgId, id }, "deposit")
      const requests = Array.from({ length: 5 }, () => call("payments.request", { id }))
      const { codes, won } = yield* runConcurrently(round, requests)
      assert.deepStrictEqual([won.length, codes], [3, ["resend_limited", "resend_limited"]])
      const openConcurrently = Effect.gen(function*() {
        const { won } = yield* runConcurrently(
          round,
          [ahead, behind].map(({ asGuest }) => asGuest(handle, "guest.checkout", { opens_balance: true }))
        )
        const payments = yield* Store.payments.ofBookings([{ orgId, id }])
        const open = payments.filter(({ status }) => status === "open" || status === "opening")
        const urls = open.map((payment) => ({ url: payment.status === "open" ? payment.url : "" }))
        assert.deepStrictEqual(won, [urls[0], urls[0]])
        return open.map(({ cents }) => cents)
      })
      assert.deepStrictEqual(yield* openConcurrently, [1500])
      yield* call("bookings.update", { id, adjustments: [{ name: "Paddle", cents: 100 }] })
      assert.deepStrictEqual(yield* openConcurrently, [1600])
      yield* runConcurrently(round, ["one", "two"].map((intent) => bookings.pay({ orgId, id }, intent)))
      const { due_cents, owed_cents, paid_cents } = yield* booking(id)
      assert.deepStrictEqual([paid_cents, due_cents, owed_cents], [2100, 0, 0])
      const payments = yield* Store.payments.ofBookings([{ orgId, id }])
      const keptCents = payments.map((payment) =>
        payment.status === "paid" ? payment.cents - sumRefundedCents(payment) : 0
      )
      assert.deepStrictEqual(keptCents, [500, 0, 1600])
      const again = yield* runConcurrently(round, [call("payments.request", { id })])
      assert.deepStrictEqual(again.codes, ["nothing_due"])
    }
  )
]
