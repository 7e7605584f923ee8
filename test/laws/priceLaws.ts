/**
 * Tests prices across two servers. Each rate counts its seats toward the capacity, and a price never changes once it
 * has been shown or booked.
 */
import { BookingView } from "@trailbook/core/booking"
import { newId } from "@trailbook/testkit/law/seedOrg"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { decodeAnswer, race, runConcurrently, sessionStarts } from "./race/TwoServerFixture.ts"

const makeRates = (adultCents: number) => [
  { id: "adult", name: "Adult", price_cents: adultCents, places: 1 },
  { id: "infant", name: "Infant", price_cents: 500, places: 0 },
  { id: "private", name: "Private raft", price_cents: 60_000, places: 8 }
]

const makeFees = (bps: number) => [{ id: "tax", name: "Tax", percent_bps: bps, per: "order_value", tax: true }]

export const priceLaws = [
  race(
    "prices/places",
    "counts each rate's seats toward the capacity, and stores the booked rates",
    function*({ book, call, offered, stored }, round) {
      yield* call("org.update", { fees: makeFees(1000) })
      const pricing = { rates: makeRates(9500) }
      const { offering_id, slots: [slot] } = yield* offered({ kind: "class", capacity: 9, pricing }, sessionStarts)
      const bookParty = (...party: ReadonlyArray<readonly [string, number]>) =>
        book({ offering_id, ...slot, party: party.map(([rate_id, quantity]) => ({ rate_id, quantity })) })
      const { codes, won } = yield* runConcurrently(round, [
        bookParty(["private", 1]),
        bookParty(["adult", 1], ["infant", 3]),
        bookParty(["private", 1]),
        bookParty(["adult", 2]),
        book({ offering_id, ...slot, quantity: 1 })
      ])
      assert.isTrue(codes.every((code) => code === "slot_full"))
      assert.isNotEmpty(won)
      const places = { adult: 1, infant: 0, private: 8 }
      const unit = { adult: 9500, infant: 500, private: 60_000 }
      for (const { id, party = [], quantity, total_cents } of won) {
        const booking = (yield* stored).find((one) => one.id === id)
        const sum = (of: Readonly<Record<string, number>>) =>
          party.reduce((all, { quantity, rate_id }) => all + quantity * (of[rate_id] ?? 0), 0)
        assert.strictEqual(quantity, sum(places))
        assert.strictEqual(total_cents, Math.round(sum(unit) * 11 / 10))
        assert.deepStrictEqual(booking?.price?.party, party)
        assert.strictEqual(booking?.price?.lines.reduce((all, line) => all + line.total_cents, 0), total_cents)
      }
      const soldSeats = (yield* stored).reduce((all, { quantity }) => all + quantity, 0)
      assert.isAtMost(soldSeats, 9)
    }
  ),

  race(
    "prices/change",
    "books only at the price that the guest saw, even during price changes",
    function*({ book, call, offered, stored }, round) {
      const { offering_id, slots: [slot] } = yield* offered(
        { kind: "class", capacity: 20, pricing: { rates: makeRates(1000) } },
        sessionStarts
      )
      const bookExpecting = (expected_total_cents: number) =>
        Effect.map(book({ offering_id, ...slot, quantity: 2, expected_total_cents }), ({ total_cents }) => {
          assert.strictEqual(total_cents, expected_total_cents)
        })
      const plain = Effect.map(book({ offering_id, ...slot, quantity: 2 }), ({ total_cents }) => {
        assert.include([2000, 2200, 4000, 4400], total_cents)
      })
      const key = newId()
      const once = decodeAnswer(BookingView)(
        call("bookings.create", {
          offering_id,
          ...slot,
          party: [{ rate_id: "adult", quantity: 1 }],
          customer: { email: "once@a.co" },
          idempotency_key: key
        })
      )
      const first = yield* once
      const { codes } = yield* runConcurrently<unknown, never>(round, [
        bookExpecting(2000),
        call("offerings.update", { id: offering_id, price_cents: 2000 }),
        plain,
        call("org.update", { fees: makeFees(1000) }),
        bookExpecting(4400),
        plain
      ])
      assert.isTrue(codes.every((code) => code === "price_changed"))
      assert.deepStrictEqual(yield* once, first)
      assert.strictEqual((yield* book({ offering_id, ...slot, quantity: 1 })).total_cents, 2200)
      for (const { price, totalCents } of yield* stored) {
        assert.strictEqual(price?.lines.reduce((all, line) => all + line.total_cents, 0), totalCents)
      }
    }
  )
]
