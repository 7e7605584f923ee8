/**
 * Doing the same twice at once: for one key, one guest, one confirmation.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { atOnce, race, sorted } from "./Scene.ts"
import { freshId } from "./settle.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const identityRaces = [
  race(
    "races/same-key",
    "the same request at once books once and gets one answer, another under its key is refused",
    ({ book, offer, slots, stored }, round) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "appointment", capacity: 10 })
        const [slot, other] = yield* slots(offering_id)
        const wish = { offering_id, customer: { email: "ann@a.co" }, idempotency_key: freshId() }
        const same = yield* atOnce(round, Array.from({ length: 4 }, () => book({ ...wish, ...slot })))
        const { codes, won } = sorted(same)
        assert.deepStrictEqual(codes, [])
        assert.strictEqual(new Set(won.map(({ id }) => id)).size, 1)
        assert.strictEqual((yield* stored).length, 1)

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
    ({ book, guests, offer, slots }, round) =>
      Effect.gen(function*() {
        const offerings = yield* Effect.all([offer({ kind: "appointment" }), offer({ kind: "appointment" })])
        const orders = yield* Effect.forEach(
          offerings,
          (offering_id) =>
            Effect.map(slots(offering_id), ([slot]) => book({ offering_id, ...slot, customer: { email: "ann@a.co" } }))
        )
        const { codes } = sorted(yield* atOnce(round, orders))
        assert.deepStrictEqual(codes, [])
        assert.strictEqual((yield* guests).length, 1)
      })
  ),

  race(
    "races/upserts",
    "one address upserted twice at once is one customer",
    ({ call, guests }, round) =>
      Effect.gen(function*() {
        const upsert = (name: string) => call("customers.upsert", { email: "ann@a.co", name })
        const { codes } = sorted(yield* atOnce(round, [upsert("Ann"), upsert("Anna"), upsert("Anne")]))
        assert.deepStrictEqual(codes, [])
        assert.strictEqual((yield* guests).length, 1)
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
