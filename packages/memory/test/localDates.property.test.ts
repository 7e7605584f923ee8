/** Tests that date rules use the outfitter's local dates, not UTC dates or 24-hour spans. */
import type { Refusal } from "@trailbook/core"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Payments } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Memory from "@trailbook/memory"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { origin } from "@trailbook/testkit/generator/moment"
import { zone } from "@trailbook/testkit/generator/org"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"

interface Row {
  readonly id: string
  readonly data: ReadonlyArray<Row>
}

type Call = (name: string, input: object) => Effect.Effect<Row, Refusal>

/** Computes local dates with `Intl`. */
const dateIn = (timeZone: string, instant: number): LocalDate.LocalDate =>
  LocalDate.parse(new Intl.DateTimeFormat("en-CA", { timeZone }).format(instant)) ?? assert.fail("no date")

interface Fixture {
  readonly call: Call
  readonly clock: SettableClock.SettableClock
  readonly order: object
  readonly startsAt: number
}

/**
 * Runs each case in a new org that has the case's time zone. The org has a class session that starts `ahead` minutes
 * from now.
 */
const check = <Input extends { readonly zone: string; readonly minute: number; readonly ahead: number }>(
  input: FastCheck.Arbitrary<Input>,
  test: (input: Input, fixture: Fixture) => Effect.Effect<void, Refusal>
) =>
  Effect.gen(function*() {
    const process = yield* Process.start({ seed: 1, batches: "none" })
    const orgs = yield* OrgStore
    let cases = 0
    const run = (sample: Input) =>
      Effect.gen(function*() {
        const clock = yield* SettableClock.make(Instant.addMinutes(origin, sample.minute))
        const startsAt = Instant.addMinutes(origin, sample.minute + sample.ahead)
        const orgId = `00000000-0000-7000-8000-${String(++cases).padStart(12, "0")}`
        const org = Org.make({ id: orgId, name: "Org", slug: orgId, timezone: sample.zone, createdAt: origin })
        yield* orgs.put(org)
        const call: Call = (name, input) =>
          Effect.withClock(Effect.map(process.call(orgId, name, input), (output) => output as Row), clock)
        const { id: offering_id } = yield* call("offerings.create", { kind: "class", name: "Raft", price_cents: 1000 })
        const { data: [session] } = yield* call("sessions.create", {
          offering_id,
          starts_at: Instant.format(startsAt)
        })
        const order = { offering_id, session_id: session?.id, quantity: 1 }
        yield* test(sample, { call, clock, order, startsAt })
      })
    yield* Effect.promise(() =>
      FastCheck.assert(FastCheck.asyncProperty(input, (sample) => Effect.runPromise(run(sample))))
    )
  }).pipe(
    Effect.provide(Layer.fresh(Layer.merge(Memory.layer, Payments.layerNone))),
    Effect.scoped,
    Effect.runPromise
  )

const days = (count: number) => FastCheck.integer({ min: 1, max: count * 24 * 60 })
const times = { zone, minute: days(3), ahead: days(3) }
const customer = { email: "ann@example.com" }

describe("local dates", () => {
  it("determine whether a discount code applies", () => {
    const offset = FastCheck.option(FastCheck.constantFrom(-1, 0, 0, 0, 1))
    return check(
      FastCheck.record({ ...times, book: offset, start: offset }),
      (sample, { call, order, startsAt }) =>
        Effect.gen(function*() {
          const { ahead, book, start, zone } = sample
          const span = (name: string, instant: number, days: number | null) => {
            if (days === null) return {}
            const date = LocalDate.format(LocalDate.addDays(dateIn(zone, instant), days))
            return { [`${name}_from`]: date, [`${name}_until`]: date }
          }
          yield* call("discounts.create", {
            code: "DAY",
            cents: 100,
            ...span("book", startsAt - ahead * 60_000, book),
            ...span("start", startsAt, start)
          })
          const { id } = yield* call("bookings.create", { ...order, customer })
          const discounted = { discount_code: "DAY" }
          const results = yield* Effect.forEach([
            call("bookings.quote", { ...order, ...discounted }),
            call("bookings.quote", { booking_id: id, ...discounted }),
            call("bookings.create", { ...order, ...discounted, customer }),
            call("bookings.update", { id, ...discounted })
          ], Effect.either)
          const applies = (book ?? 0) === 0 && (start ?? 0) === 0
          assert.deepStrictEqual(
            results.map((result) => Either.isRight(result) ? "applies" : result.left.code),
            results.map(() => applies ? "applies" : "discount_invalid")
          )
        })
    )
  })

  it("determine whether a desk payment can be voided", () =>
    check(
      FastCheck.record({ ...times, later: FastCheck.nat(2 * 24 * 60) }),
      ({ ahead, later, zone }, fixture) =>
        Effect.gen(function*() {
          const { call, clock, order, startsAt } = fixture
          const { id: booking } = yield* call("bookings.create", { ...order, customer })
          const { id } = yield* call("payments.record", { id: booking, method: "cash", amount_cents: 100 })
          yield* clock.advance(later * 60_000)
          const now = startsAt - ahead * 60_000
          const isSameDate = dateIn(zone, now) === dateIn(zone, now + later * 60_000)
          const result = yield* Effect.either(call("payments.void", { id }))
          assert.strictEqual(Either.isRight(result) ? "void" : result.left.code, isSameDate ? "void" : "entry_final")
        })
    ))
})
