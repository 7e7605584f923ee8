/** Tests concurrent requests for the same key, customer, or confirmation. */
import { BookingView } from "@trailbook/core/booking"
import { Payments } from "@trailbook/core/payment"
import { newId } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import {
  decodeAnswer,
  minuteMs,
  race,
  runConcurrently,
  sessionStarts,
  type TwoServerFixture
} from "./TwoServerFixture.ts"

/** Runs four concurrent requests for different offerings in a process with two lanes and batches of two. */
const bookInPairs = ({ offer, orgId, slots }: TwoServerFixture, round: number, guests: ReadonlyArray<object>) =>
  Effect.scoped(Effect.gen(function*() {
    const linger = Effect.repeatN(Effect.yieldNow(), 20)
    const process = Process.start({ seed: 1000 + round, batches: { concurrency: 2, maxBatchSize: 2, linger } })
    const { call } = yield* Effect.provide(process, Payments.layerNone)
    const orders = yield* Effect.forEach(guests, (guest) =>
      Effect.gen(function*() {
        const offering_id = yield* offer({ kind: "appointment" })
        return { offering_id, ...(yield* slots(offering_id))[0], ...guest }
      }))
    // The requests arrive within a few steps of each other, in a different order each round.
    return yield* runConcurrently(2 * round, orders.map((order) => call(orgId, "bookings.create", order)))
  }))

export const identityRaces = [
  race(
    "races/same-key",
    "creates one booking for concurrent requests with the same key, and rejects a different request with that key",
    function*({ book, offered, stored }, round) {
      const { offering_id, slots: [slot, other] } = yield* offered({ kind: "appointment", capacity: 10 })
      const order = { offering_id, customer: { email: "ann@a.co" }, idempotency_key: newId() }
      const { codes, won } = yield* runConcurrently(round, Array.from({ length: 4 }, () => book({ ...order, ...slot })))
      assert.deepStrictEqual(codes, [])
      assert.strictEqual(new Set(won.map(({ id }) => id)).size, 1)
      assert.strictEqual((yield* stored).length, 1)

      const key = newId()
      const either = yield* runConcurrently(
        round,
        [slot, other].map((slot) => book({ ...order, ...slot, idempotency_key: key }))
      )
      assert.deepStrictEqual(either.codes, ["idempotency_conflict"])
    }
  ),

  race(
    "races/probable-duplicate",
    "returns an assistant's booking to a keyless request for the same guest, start, and quantity within the next hour",
    function*({ book: program, booking, call, clock, offered }, round) {
      const isClass = round % 2 === 0
      const kind = isClass ? { kind: "class" } : { kind: "rental", duration_minutes: 60, max_periods: 2 }
      const { offering_id, slots: [slot, other] } = yield* offered(
        { ...kind, capacity: 40 },
        isClass ? sessionStarts : []
      )
      const ask = (input: object) =>
        decodeAnswer(BookingView)(call("bookings.create", { offering_id, ...slot, quantity: 2, ...input }, "mcp"))
      const ann = { customer: { email: "ann@a.co" } }
      const namedAnn = { customer: { email: "ann@a.co", name: "Ann" }, notes: "Vegetarian" }
      // A program's booking does not count as an assistant's booking.
      yield* program({ offering_id, ...slot, quantity: 2, ...ann })
      const { customer_id: otherGuest } = yield* program({ offering_id, ...slot, customer: { email: "bob@a.co" } })
      const { customer_id, id } = yield* ask(round % 3 === 0 ? namedAnn : { ...namedAnn, idempotency_key: newId() })
      yield* clock.advance(59 * minuteMs)
      for (const retry of [namedAnn, ann, { customer_id }, { ...ann, hold_minutes: 30 }]) {
        assert.strictEqual((yield* ask(retry)).id, id)
      }
      const others = yield* Effect.all([
        ask({ ...ann, idempotency_key: newId() }),
        ask({ ...ann, quantity: 3 }),
        ask({ ...ann, ...other }),
        ask({ customer: { email: "an@a.co" } }),
        ask({ customer_id: otherGuest }),
        ...isClass ? [] : [ask({ ...ann, periods: 2 })],
        program({ offering_id, ...slot, quantity: 2, ...ann })
      ])
      assert.strictEqual(new Set([id, ...others.map((result) => result.id)]).size, others.length + 1)
      for (const one of [id, ...others.map((result) => result.id)]) yield* call("bookings.cancel", { id: one })
      const again = yield* ask(ann)
      assert.strictEqual((yield* booking(again.id)).status, "confirmed")
      yield* clock.advance(61 * minuteMs)
      const later = yield* ask({ ...ann, notes: "For my brother" })
      assert.strictEqual(
        new Set([id, again.id, later.id, ...others.map((result) => result.id)]).size,
        others.length + 3
      )
    }
  ),

  race(
    "races/same-creation",
    "creates one session, offering, or webhook for concurrent requests with the same key",
    function*({ call, offer }, round) {
      const offering_id = yield* offer({ kind: "class" })
      const makeKey = () => ({ idempotency_key: newId() })
      const requests: ReadonlyArray<readonly [name: string, one: object, other: object]> = [
        [
          "sessions.create",
          { offering_id, starts_at: sessionStarts[0], repeat_weeks: 2, ...makeKey() },
          { repeat_weeks: 1 }
        ],
        ["offerings.create", { name: "Kayak", kind: "rental", ...makeKey() }, { name: "Canoe" }],
        ["webhooks.create", { url: "https://a.co/events", ...makeKey() }, { url: "https://b.co/events" }]
      ]
      for (const [name, one, other] of requests) {
        const same = yield* runConcurrently(round, Array.from({ length: 3 }, () => call(name, one)))
        assert.deepStrictEqual(same.codes, [])
        assert.strictEqual(new Set(same.won.map((answer) => JSON.stringify(answer))).size, 1, name)
        const fresh = makeKey()
        const clash = yield* runConcurrently(
          round,
          [one, { ...one, ...other }].map((input) => call(name, { ...input, ...fresh }))
        )
        assert.deepStrictEqual(clash.codes, ["idempotency_conflict"])
      }
      const { data: sessions } = (yield* call("sessions.list", {})) as { readonly data: ReadonlyArray<unknown> }
      // The list contains two sessions from the identical requests, plus one or two from the conflicting requests.
      assert.include([3, 4], sessions.length)
      const { data: offerings } = (yield* call("offerings.list", {})) as { readonly data: ReadonlyArray<unknown> }
      assert.strictEqual(offerings.length, 3)
      const { data: webhooks } = (yield* call("webhooks.list", {})) as { readonly data: ReadonlyArray<unknown> }
      assert.strictEqual(webhooks.length, 2)
    }
  ),

  race(
    "races/same-keys-cross",
    "completes two batches that contain the same keys in opposite order, and books once per key",
    function*(fixture, round) {
      const [one, two] = [newId(), newId()]
      const { codes, won } = yield* bookInPairs(
        fixture,
        round,
        [one, two, two, one].map((idempotency_key) => ({ customer: { email: `${newId()}@a.co` }, idempotency_key }))
      )
      assert.deepStrictEqual(codes, ["idempotency_conflict", "idempotency_conflict"])
      assert.strictEqual(won.length, 2)
    }
  ),

  race(
    "races/same-guest",
    "creates one customer if a new guest makes two bookings concurrently",
    function*({ book, guests, offer, slots }, round) {
      const offerings = yield* Effect.all([offer({ kind: "appointment" }), offer({ kind: "appointment" })])
      const orders = yield* Effect.forEach(
        offerings,
        (offering_id) =>
          Effect.map(slots(offering_id), ([slot]) => book({ offering_id, ...slot, customer: { email: "ann@a.co" } }))
      )
      const { codes } = yield* runConcurrently(round, orders)
      assert.deepStrictEqual(codes, [])
      assert.strictEqual((yield* guests).length, 1)
    }
  ),

  race(
    "races/guests-cross",
    "completes two batches that contain the same guests in opposite order, by ID and by address",
    function*(fixture, round) {
      const offering_id = yield* fixture.offer({ kind: "appointment", capacity: 2 })
      const [slot] = yield* fixture.slots(offering_id)
      const makeGuest = (email: string) =>
        Effect.map(fixture.book({ offering_id, ...slot, customer: { email } }), ({ customer_id }) => customer_id)
      const [ann, bob] = yield* Effect.all([makeGuest("ann@a.co"), makeGuest("bob@a.co")])
      const { codes } = yield* bookInPairs(fixture, round, [
        { customer_id: ann },
        { customer: { email: "bob@a.co", name: "Bob" } },
        { customer_id: bob },
        { customer: { email: "ann@a.co", name: "Ann" } }
      ])
      assert.deepStrictEqual(codes, [])
    }
  ),

  race(
    "races/new-guests-cross",
    "completes two batches that contain the same new guests in opposite order, and creates each guest once",
    function*(fixture, round) {
      const emails = ["ann@a.co", "bob@a.co", "bob@a.co", "ann@a.co"]
      const { codes } = yield* bookInPairs(fixture, round, emails.map((email) => ({ customer: { email } })))
      assert.deepStrictEqual(codes, [])
      assert.strictEqual((yield* fixture.guests).length, 2)
    }
  ),

  race(
    "races/upserts",
    "creates one customer if the same address is upserted twice concurrently",
    function*({ call, guests }, round) {
      const upsert = (name: string) => call("customers.upsert", { email: "ann@a.co", name })
      const { codes } = yield* runConcurrently(round, [upsert("Ann"), upsert("Anna"), upsert("Anne")])
      assert.deepStrictEqual(codes, [])
      assert.strictEqual((yield* guests).length, 1)
    }
  ),

  race(
    "races/walk-in-email",
    "gives an address to one of two walk-in guests if it is added to both concurrently",
    function*({ book, call, guests, offered }, round) {
      const { offering_id, slots: [slot] } = yield* offered({ kind: "appointment", capacity: 5 })
      const walkIn = book({ offering_id, ...slot, walk_in: true, customer: { name: "Ann" } })
      const ids = (yield* Effect.all([walkIn, walkIn])).map(({ customer_id }) => customer_id)
      const update = (id: string, email: string) => call("customers.update", { id, email })
      const { codes } = yield* runConcurrently(round, ids.map((id) => update(id, "ann@a.co")))
      assert.deepStrictEqual(codes, ["email_taken"])
      const customers = yield* guests
      assert.deepStrictEqual(customers.filter(({ email }) => email === "ann@a.co").length, 1)
      const ann = customers.find(({ email }) => email === "ann@a.co")
      const changes = [update(ann?.id ?? "", "bob@a.co"), update(ids[0] ?? "", `walk-in-${ids[0]}@guests.invalid`)]
      assert.deepStrictEqual((yield* runConcurrently(round, changes)).codes, ["invalid_request", "invalid_request"])
    }
  ),

  race(
    "races/erase-create",
    "keeps no personal data in a booking that is created while its guest is being erased",
    function*({ book, call, offered }, round) {
      const { offering_id, slots: [slot] } = yield* offered({ kind: "appointment", capacity: 5 })
      const { customer_id } = yield* book({ offering_id, ...slot, customer: { email: "ann@a.co", name: "Ann" } })
      const { customer: _, ...again } = {
        customer: null,
        offering_id,
        ...slot,
        customer_id,
        notes: "Ann is allergic"
      }
      const create = call("bookings.create", again)
      const { codes } = yield* runConcurrently(round, [create, call("customers.delete", { id: customer_id }), create])
      assert.isTrue(codes.every((code) => code === "customer_erased"))
    }
  ),

  race(
    "races/resend",
    "sends a confirmation once for two concurrent requests",
    function*({ book, call, offered }, round) {
      const { offering_id, slots: [slot] } = yield* offered({ kind: "appointment" })
      const { id } = yield* book({ offering_id, ...slot })
      const resend = call("bookings.resend", { id })
      assert.deepStrictEqual((yield* runConcurrently(round, [resend, resend, resend])).codes, [
        "resend_limited",
        "resend_limited"
      ])
    }
  )
]
