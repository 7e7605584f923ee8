import type {
  Adjustment,
  BookingCancellationPolicy,
  CancellationPolicy,
  Discount,
  Extra,
  Fee,
  Pricing,
  Rate
} from "@trailbook/core/pricing"
import * as FastCheck from "effect/FastCheck"

const cents = FastCheck.oneof(
  FastCheck.nat(30_000),
  FastCheck.constantFrom(0, 1, 3, 99, 101),
  FastCheck.nat(1_000_000)
)
const bps = FastCheck.oneof(FastCheck.nat(10_000), FastCheck.constantFrom(0, 1, 50, 825, 3333, 10_000))
/** Generates a value or undefined. */
export const optional = <A>(one: FastCheck.Arbitrary<A>) => FastCheck.option(one, { nil: undefined })
const optionalFlag = optional(FastCheck.boolean())

/** Removes the fields that are undefined. */
export const withoutUndefined = <A extends object>(fields: A) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const units: ReadonlyArray<"place" | "booking"> = ["place", "booking"]

const amount = FastCheck.oneof(
  FastCheck.record({ percent_bps: bps }),
  FastCheck.record({ cents, per: FastCheck.constantFrom(...units) })
)

const rates: FastCheck.Arbitrary<ReadonlyArray<Rate>> = FastCheck.array(
  FastCheck.record({
    price_cents: cents,
    places: FastCheck.integer({ min: 0, max: 4 }),
    max: optional(FastCheck.constantFrom(null, 2, 50)),
    needsFirst: FastCheck.boolean()
  }),
  { minLength: 1, maxLength: 4 }
).map((list) =>
  list.map(({ max, needsFirst, places, price_cents }, at) => ({
    id: `rate-${at}`,
    name: `Rate ${at}`,
    price_cents,
    places: at === 0 ? Math.max(1, places) : places,
    ...withoutUndefined({ max, needs_any_of: needsFirst && at > 0 ? ["rate-0"] : undefined })
  }))
)

const extras: FastCheck.Arbitrary<ReadonlyArray<Extra>> = FastCheck.array(
  FastCheck.record({
    price_cents: cents,
    per: FastCheck.constantFrom(...units),
    each_period: optionalFlag,
    required: optionalFlag,
    max: optional(FastCheck.constantFrom(null, 1, 100))
  }),
  { maxLength: 3 }
).map((list) =>
  list.map(({ each_period, max, per, price_cents, required }, at) => ({
    id: `extra-${at}`,
    name: `Extra ${at}`,
    price_cents,
    per,
    ...withoutUndefined({ each_period, required, max: required === true && per === "place" ? undefined : max })
  }))
)

/** Any valid pricing for an offering. */
export const pricing: FastCheck.Arbitrary<Pricing> = FastCheck.record({
  rates,
  extras: optional(extras),
  min_places: optional(FastCheck.integer({ min: 1, max: 3 })),
  deposit: optional(FastCheck.option(
    FastCheck.record({ amount, balance_due_hours: FastCheck.nat(200) }).map(({ amount, balance_due_hours }) => ({
      ...amount,
      balance_due_hours
    }))
  ))
}).map(({ rates, ...rest }) => ({ rates, ...withoutUndefined(rest) }))

/** Any valid fees for an org. Some apply only to the offerings in `offeringIds`. */
export const orgFees = (offeringIds: ReadonlyArray<string>): FastCheck.Arbitrary<ReadonlyArray<Fee>> =>
  FastCheck.array(
    FastCheck.record({
      amount,
      included: optionalFlag,
      tax: optionalFlag,
      compound: optionalFlag,
      on: optional(FastCheck.constantFrom("all", "rates", "extras")),
      offering_ids: optional(FastCheck.option(FastCheck.subarray([...offeringIds])))
    }),
    { maxLength: 5 }
  ).map((list) =>
    list.map(({ amount, compound, included, offering_ids, on, tax }, at): Fee => ({
      id: `fee-${at}`,
      name: `Fee ${at}`,
      ...("cents" in amount ? amount : { ...amount, per: "order_value" }),
      ...withoutUndefined({
        included,
        tax,
        offering_ids,
        ...("cents" in amount || included === true ? {} : { compound, on })
      })
    }))
  )

/** The part of a discount code that sets the price. */
export const discount: FastCheck.Arbitrary<Discount> = FastCheck.record({
  id: FastCheck.uuid(),
  code: FastCheck.constantFrom("SPRING", "PARTNER-7"),
  amount: FastCheck.oneof(FastCheck.record({ percent_bps: bps }), FastCheck.record({ cents }))
}).map(({ amount, ...rest }) => ({ ...rest, ...amount }))

export const adjustments: FastCheck.Arbitrary<ReadonlyArray<Adjustment>> = FastCheck.array(
  FastCheck.record({
    name: FastCheck.constantFrom("Tip", "Damaged paddle"),
    cents: FastCheck.integer({ min: -2000, max: 5000 })
  }),
  { maxLength: 3 }
)

export const cancellationPolicy: FastCheck.Arbitrary<CancellationPolicy> = FastCheck.record({
  steps: FastCheck.uniqueArray(
    FastCheck.record({
      until_hours: FastCheck.oneof(FastCheck.constantFrom(0, 1, 24, 48, 168), FastCheck.nat(8760)),
      amount: FastCheck.oneof(
        FastCheck.record({ keep_bps: bps }),
        FastCheck.record({ keep_cents_per_place: cents })
      )
    }),
    { minLength: 1, maxLength: 4, selector: ({ until_hours }) => until_hours }
  ),
  text: optional(FastCheck.constantFrom("", "Free until a week before."))
}).map(({ steps, text }) => ({
  steps: steps.toSorted((a, b) => b.until_hours - a.until_hours).map(({ amount, until_hours }) => ({
    until_hours,
    ...amount
  })),
  ...(text === undefined ? {} : { text })
}))

export const bookingPolicy: FastCheck.Arbitrary<BookingCancellationPolicy> = FastCheck.tuple(cancellationPolicy, cents)
  .map(
    ([policy, min_keep_cents]) => ({ ...policy, min_keep_cents })
  )
