import { sources } from "@trailbook/core/actor/Actor"
import * as FastCheck from "effect/FastCheck"

/** Uses the arbitrary in 1 of 10 cases. */
const rarely = <A, Nothing>(arbitrary: FastCheck.Arbitrary<A>, fallback: Nothing): FastCheck.Arbitrary<A | Nothing> =>
  FastCheck.oneof({ weight: 9, arbitrary: FastCheck.constant(fallback) }, { weight: 1, arbitrary })

/** A booking request. The numbers select among the rows that exist when the request runs. */
export const wish = FastCheck.record({
  org: FastCheck.nat(1),
  offering: FastCheck.nat(2),
  /** One of the first listed starts or sessions, or occasionally any quarter hour. */
  start: FastCheck.nat(9),
  astray: rarely(FastCheck.nat(300), undefined),
  quantity: FastCheck.oneof(
    { weight: 4, arbitrary: FastCheck.integer({ min: 1, max: 2 }) },
    { weight: 1, arbitrary: FastCheck.integer({ min: 1, max: 12 }) }
  ),
  periods: FastCheck.constantFrom(undefined, undefined, 1, 2, 2, 3),
  guest: FastCheck.oneof(
    FastCheck.record({
      email: FastCheck.constantFrom("ann@a.co", "bob@a.co", "cat@a.co"),
      name: FastCheck.constantFrom(undefined, "", "Ann", "Bob"),
      phone: FastCheck.constantFrom(undefined, "", "1", "2")
    }),
    FastCheck.nat(3)
  ),
  notes: FastCheck.constantFrom("", "knee"),
  holdMinutes: FastCheck.option(FastCheck.constantFrom(5, 15, 60, 1440), { nil: undefined, freq: 1 }),
  source: FastCheck.constantFrom(...sources),
  /** A shared or a unique idempotency key. */
  key: rarely(FastCheck.nat(3), undefined)
})

export type BookingWish = typeof wish extends FastCheck.Arbitrary<infer A> ? A : never

const pick = FastCheck.nat(30)

const step = FastCheck.oneof(
  {
    weight: 8,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("sell" as const),
      wishes: FastCheck.array(wish, { minLength: 1, maxLength: 6 })
    })
  },
  { weight: 3, arbitrary: FastCheck.record({ _tag: FastCheck.constant("confirm" as const), booking: pick }) },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("pay" as const),
      booking: pick,
      paymentIntentId: FastCheck.constantFrom("pi_1", "pi_2")
    })
  },
  {
    weight: 5,
    arbitrary: FastCheck.record({ _tag: FastCheck.constant("move" as const), booking: pick, start: FastCheck.nat(9) })
  },
  { weight: 2, arbitrary: FastCheck.record({ _tag: FastCheck.constant("cancel" as const), booking: pick }) },
  { weight: 2, arbitrary: FastCheck.record({ _tag: FastCheck.constant("restore" as const), booking: pick }) },
  {
    weight: 4,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("wait" as const),
      minutes: rarely(FastCheck.integer({ min: 1, max: 1500 }), 20)
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("set" as const),
      org: FastCheck.nat(1),
      offering: FastCheck.nat(2),
      patch: FastCheck.oneof(
        FastCheck.record({ capacity: FastCheck.integer({ min: 1, max: 5 }) }),
        FastCheck.record({ bufferMinutes: FastCheck.constantFrom(0, 15, 30, 90) }),
        FastCheck.record({ durationMinutes: FastCheck.constantFrom(30, 60, 90, 1440) }),
        FastCheck.record({ active: FastCheck.boolean() })
      )
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constantFrom("cancelSession" as const, "sweep" as const, "erase" as const),
      row: pick
    })
  }
)

export type Step = typeof step extends FastCheck.Arbitrary<infer A> ? A : never

export const script = (maxLength: number): FastCheck.Arbitrary<ReadonlyArray<Step>> =>
  FastCheck.array(step, { minLength: 5, maxLength, size: "max" })
