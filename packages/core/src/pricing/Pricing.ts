/**
 * The outfitter's prices: an offering's rates and extras, the org's fees, and discounts. Prices are stored in their API
 * format. `quote.ts` computes the price of a booking from these prices.
 */
import * as Schema from "effect/Schema"
import * as Field from "../wire/Field.ts"
import { exampleIds, Id, Integer, optionalField } from "../wire/View.ts"

/** The maximum unit price. With this limit, 10,000 items over 60 periods cost less than 2^53. */
export const maxPriceCents = 10_000_000_000

const makeNameField = (example: string) =>
  Field.withDescription("shown to guests", Field.text({ min: 1, max: 80 }), example)
const priceField = Field.withDescription("the unit price", Field.integer(0, maxPriceCents), 7500)
const percent = Field.optional(Field.withDescription("hundredths of a percent", Field.integer(0, 10_000), 800))
const cents = Field.describedOptional("a fixed amount", Field.integer(0, maxPriceCents))
const quantityField = Field.withDescription("the number of units", Field.integer(1, 10_000), 2)

/** The price for one kind of unit, such as a child or a private raft. */
export const Rate = Field.object({
  id: Field.withDescription("an ID unique in this list", Field.shortId, "child"),
  name: makeNameField("Child"),
  price_cents: priceField,
  places: Field.withDescription(
    "the spots that one unit takes, such as 0 for a lap infant",
    Field.integer(0, 10_000),
    1
  ),
  max: Field.describedOptional("the maximum number per booking", Field.nullable(Field.integer(1, 10_000))),
  needs_any_of: Field.describedOptional(
    "other rates, of which the booking must include at least one",
    Field.list(Field.withDescription("a rate", Field.shortId, "adult"), 20)
  )
})
export type Rate = typeof Rate.Type

export const Extra = Field.object({
  id: Field.withDescription("an ID unique in this list", Field.shortId, "wetsuit"),
  name: makeNameField("Wetsuit"),
  price_cents: priceField,
  per: Field.withDescription(
    "place (at most 1 per spot) or booking (at most 100 per booking)",
    Field.oneOf("place", "booking"),
    "place"
  ),
  each_period: Field.describedOptional("whether the extra is charged for each rental period", Field.boolean, false),
  required: Field.describedOptional(
    "whether every booking includes the extra, once per spot or once per booking",
    Field.boolean,
    false
  ),
  max: Field.describedOptional("the maximum number per booking", Field.nullable(Field.integer(1, 10_000)))
})
export type Extra = typeof Extra.Type

/** The part of the total that a guest pays online before `balance_due_hours`. */
export const Deposit = Field.object({
  percent_bps: percent,
  cents,
  per: Field.describedOptional("whether cents is per booking or per spot", Field.oneOf("booking", "place")),
  balance_due_hours: Field.withDescription(
    "how many hours before the start the total becomes due instead of the deposit",
    Field.integer(0, 8760),
    168
  )
})
export type Deposit = typeof Deposit.Type

export const Pricing = Field.object({
  rates: Field.withDescription(
    "the rates to choose from. The first rate is the default for bookings without party, and its price is price_cents",
    Field.nonEmptyList(Rate, 20)
  ),
  extras: Field.describedOptional("the extras that guests can add", Field.list(Extra, 20)),
  min_places: Field.describedOptional("the minimum number of spots in a new booking", Field.integer(1, 10_000)),
  deposit: Field.describedOptional("the deposit for bookings paid online", Schema.NullOr(Deposit))
})
export type Pricing = typeof Pricing.Type

export const Fee = Field.object({
  id: Field.withDescription("an ID unique in this list", Field.shortId, "river-tax"),
  name: makeNameField("River tax"),
  percent_bps: percent,
  cents,
  per: Field.withDescription(
    "order_value if percent_bps is set, and booking or place if cents is set",
    Field.oneOf("booking", "place", "order_value"),
    "order_value"
  ),
  included: Field.describedOptional(
    "whether the prices include the fee, so it is shown but not added",
    Field.boolean,
    false
  ),
  tax: Field.describedOptional("whether the fee is a tax", Field.boolean, false),
  compound: Field.describedOptional(
    "whether a percentage fee also applies to the fees added before it",
    Field.boolean,
    false
  ),
  on: Field.describedOptional("the lines that a percentage applies to", Field.oneOf("all", "rates", "extras"), "all"),
  offering_ids: Field.describedOptional(
    "the offerings that the fee applies to, or null for all offerings",
    Schema.NullOr(Field.list(Field.withDescription("an offering", Field.uuid, exampleIds.offering), 200))
  )
})
export type Fee = typeof Fee.Type

export const maxFees = 20

/** The fields of a discount code that change the price. */
export const Discount = Field.object({
  id: Field.withDescription("its ID", Field.uuid),
  code: Field.withDescription("the code", Field.text({ min: 1, max: 40 }), "SPRING"),
  percent_bps: percent,
  cents
})
export type Discount = typeof Discount.Type

export const Adjustment = Field.object({
  name: makeNameField("Late return"),
  cents: Field.withDescription(
    "the amount added to the total. Can be negative",
    Field.integer(-maxPriceCents, maxPriceCents)
  )
})
export type Adjustment = typeof Adjustment.Type

export const Adjustments = Field.list(Adjustment, 20)

/** A booking's rates with their quantities. */
export const Party = Field.list(
  Field.object({
    rate_id: Field.withDescription("a rate of the offering", Field.shortId, "adult"),
    quantity: quantityField
  }),
  20
)
export type Party = typeof Party.Type

/** A booking's extras with their quantities. */
export const Extras = Field.list(
  Field.object({
    extra_id: Field.withDescription("an extra of the offering", Field.shortId, "wetsuit"),
    quantity: quantityField
  }),
  20
)
export type Extras = typeof Extras.Type

const RateView = Schema.Struct({
  id: Field.withDescription("an ID unique in this list", Schema.String, "child"),
  name: Field.withDescription("shown to guests", Schema.String, "Child"),
  price_cents: Field.withDescription("the unit price", Integer, 7500),
  places: Field.withDescription("the spots that one unit takes", Integer, 1),
  max: optionalField("the maximum number per booking", Schema.NullOr(Integer)),
  needs_any_of: optionalField(
    "other rates, of which the booking must include at least one",
    Schema.Array(Schema.String)
  )
})

const ExtraView = Schema.Struct({
  id: Field.withDescription("an ID unique in this list", Schema.String, "wetsuit"),
  name: Field.withDescription("shown to guests", Schema.String, "Wetsuit"),
  price_cents: Field.withDescription("the unit price", Integer, 1500),
  per: Field.withDescription(
    "place (at most 1 per spot) or booking (at most 100 per booking)",
    Schema.Literal("place", "booking")
  ),
  each_period: optionalField("whether the extra is charged for each rental period", Schema.Boolean),
  required: optionalField(
    "whether every booking includes the extra, once per spot or once per booking",
    Schema.Boolean
  ),
  max: optionalField("the maximum number per booking", Schema.NullOr(Integer))
})

const DepositView = Schema.Struct({
  percent_bps: optionalField("hundredths of a percent of the total", Integer),
  cents: optionalField("a fixed amount", Integer),
  per: optionalField("whether cents is per booking or per spot", Schema.Literal("booking", "place")),
  balance_due_hours: Field.withDescription(
    "how many hours before the start the total becomes due instead of the deposit",
    Integer,
    168
  )
})

export const PricingView = Schema.Struct({
  rates: Field.withDescription("the rates to choose from. The first is the default", Schema.Array(RateView)),
  extras: optionalField("the extras that guests can add", Schema.Array(ExtraView)),
  min_places: optionalField("the minimum number of spots in a new booking", Integer),
  deposit: optionalField("the deposit for bookings paid online", Schema.NullOr(DepositView))
}).annotations({ identifier: "Pricing" })

export const FeeView = Schema.Struct({
  id: Field.withDescription("an ID unique in this list", Schema.String, "river-tax"),
  name: Field.withDescription("shown to guests", Schema.String, "River tax"),
  percent_bps: optionalField("hundredths of a percent", Integer),
  cents: optionalField("a fixed amount", Integer),
  per: Field.withDescription(
    "order_value if percent_bps is set, and booking or place if cents is set",
    Schema.Literal("booking", "place", "order_value"),
    "order_value"
  ),
  included: optionalField("whether the prices include the fee", Schema.Boolean),
  tax: optionalField("whether the fee is a tax", Schema.Boolean),
  compound: optionalField("whether a percentage fee also applies to the fees added before it", Schema.Boolean),
  on: optionalField("the lines that a percentage applies to. Default: all", Schema.Literal("all", "rates", "extras")),
  offering_ids: optionalField(
    "the offerings that the fee applies to, or null for all offerings",
    Schema.NullOr(Schema.Array(Id))
  )
}).annotations({ identifier: "Fee" })

export const PartyView = Schema.Array(Schema.Struct({
  rate_id: Field.withDescription("a rate of the offering", Schema.String, "adult"),
  quantity: Field.withDescription("the number of units", Integer, 2)
}))

export const ExtrasView = Schema.Array(Schema.Struct({
  extra_id: Field.withDescription("an extra of the offering", Schema.String, "wetsuit"),
  quantity: Field.withDescription("the number of units", Integer, 2)
}))

export const priceLineKinds = ["rate", "extra", "discount", "fee", "adjustment"] as const

/** A price line. The lines without `included` add up to the total. */
export const PriceLine = Schema.Struct({
  kind: Field.withDescription("the kind of amount", Schema.Literal(...priceLineKinds), "rate"),
  id: Field.withDescription("the ID of the rate, extra, fee, or discount", Schema.String, "adult"),
  name: Field.withDescription("shown to guests", Schema.String, "Adult"),
  quantity: Field.withDescription("the number of units", Integer, 2),
  unit_cents: Field.withDescription("the unit price for all rental periods", Integer, 9500),
  total_cents: Field.withDescription("the amount, negative for a discount", Integer, 19000),
  discount_cents: Field.withDescription("the line's share of the discount", Integer, 1900),
  tax: Field.withDescription("whether the amount is a tax", Schema.Boolean),
  included: Field.withDescription("whether the amount is already included in other lines", Schema.Boolean)
}).annotations({ identifier: "PriceLine" })
export type PriceLine = typeof PriceLine.Type

export const QuoteView = Schema.Struct({
  currency: Field.withDescription("the currency of all amounts", Schema.String, "usd"),
  lines: Field.withDescription(
    "the price lines. Lines with included=false add up to the total",
    Schema.Array(PriceLine)
  ),
  subtotal_cents: Field.withDescription("the sum of rates and extras", Integer, 19000),
  discount_cents: Field.withDescription("the discount", Integer, 1900),
  fees_cents: Field.withDescription("the added fees and taxes", Integer, 1368),
  included_fees_cents: Field.withDescription("the fees and taxes that the prices include", Integer, 0),
  tax_cents: Field.withDescription("all taxes, added or included", Integer, 1368),
  adjustments_cents: Field.withDescription("the sum of all adjustments", Integer, 0),
  total_cents: Field.withDescription("the price of the booking", Integer, 18468),
  due_now_cents: Field.withDescription("the amount due online at booking, or 0", Integer, 18468)
}).annotations({ identifier: "Quote" })
export type QuoteView = typeof QuoteView.Type

/** Returns the first error that the schema cannot detect. Returns undefined for valid pricing. */
export const findPricingError = ({ deposit, extras = [], rates }: Pricing): string | undefined =>
  findFirstProblem([
    checkUniqueIds("pricing.rates", rates),
    checkUniqueIds("pricing.extras", extras),
    ...rates.map(({ needs_any_of = [] }, at) => {
      const unknown = needs_any_of.find((id) => rates.every((rate) => rate.id !== id || rate === rates[at]))
      return unknown === undefined ? undefined : `pricing.rates.${at}.needs_any_of: must name other rates in this list`
    }),
    // A booking without a party uses only the first rate.
    rates[0]?.places === 0
      ? "pricing.rates.0.places: the first rate is the default, so it must take at least 1 spot"
      : undefined,
    (rates[0]?.needs_any_of ?? []).length > 0
      ? "pricing.rates.0.needs_any_of: must be empty, because the first rate is the default"
      : undefined,
    ...extras.map(({ max = null, per, required = false }, at) =>
      max !== null && (per === "booking" ? max > maxExtrasPerBooking : required)
        ? `pricing.extras.${at}.max: must be ${
          required && per === "place"
            ? "null if the extra is required for each spot"
            : `at most ${maxExtrasPerBooking} per booking`
        }`
        : undefined
    ),
    deposit === undefined || deposit === null ? undefined : checkAmount("pricing.deposit", deposit, deposit.per)
  ])

/** An extra's maximum quantity per booking. */
export const maxExtrasPerBooking = 100

/** Returns the first error that the schema cannot detect. Returns undefined for valid fees. */
export const findFeesError = (fees: ReadonlyArray<Fee>): string | undefined =>
  findFirstProblem([
    checkUniqueIds("fees", fees),
    ...fees.map((fee, at) => {
      const { compound = false, included = false, on = "all", per } = fee
      return checkAmount(`fees.${at}`, fee, per) ??
        (on !== "all" && (included || per !== "order_value")
          ? `fees.${at}.on: must be all, unless the fee is a percentage with included=false`
          : compound && (included || per !== "order_value")
          ? `fees.${at}.compound: must be false, unless the fee is a percentage with included=false`
          : undefined)
    })
  ])

/**
 * Returns an error unless a percentage applies to the order value, or a fixed amount applies per booking or per place.
 */
const checkAmount = (
  path: string,
  { cents, percent_bps }: { readonly cents?: number; readonly percent_bps?: number },
  per: Fee["per"] | undefined
): string | undefined => {
  if ((cents === undefined) === (percent_bps === undefined)) return `${path}.cents: set either cents or percent_bps`
  if (cents !== undefined && per !== "booking" && per !== "place") {
    return `${path}.per: with cents, only booking or place is allowed`
  }
  return percent_bps !== undefined && per !== undefined && per !== "order_value"
    ? `${path}.per: with percent_bps, only order_value is allowed`
    : undefined
}

const checkUniqueIds = (list: string, items: ReadonlyArray<{ readonly id: string }>): string | undefined => {
  const at = items.findIndex(({ id }, index) => items.findIndex((other) => other.id === id) < index)
  return at === -1 ? undefined : `${list}.${at}.id: must be unique in its list`
}

const findFirstProblem = (problems: ReadonlyArray<string | undefined>): string | undefined =>
  problems.find((problem) => problem !== undefined)
