/**
 * Computes a booking's price. All amounts are integers in the currency's smallest unit, rounded half up.
 *
 * 1. A rate line costs `unit × quantity`, multiplied by the number of periods in a rental. An extra line costs
 *    `unit × n`, multiplied by the number of periods if `each_period` is set. The subtotal is the sum of these lines,
 *    at most 99,999,999,999.
 * 2. The discount is a percentage of the subtotal or a fixed amount, and it cannot exceed the subtotal. Each line gets
 *    the floor of `discount × line ÷ subtotal`. The remaining cents go to the lines with the largest fractions, one
 *    cent per line. If fractions are equal, the earlier line comes first. A line's net is its amount minus its share of
 *    the discount.
 * 3. Fees apply in list order. A percentage applies to the net of the lines in `on`. With `compound`, the percentage
 *    also applies to the added fees before it. A fixed fee is `cents × places` or `cents`. Each fee is rounded once.
 * 4. An `included` fee is already part of the prices and adds nothing. An included percentage amounts to
 *    `net × bps ÷ (10000 + the bps of all included percentages)`.
 * 5. The total is subtotal − discount + added fees + adjustments. A total below 0 is refused.
 * 6. Without online payment, nothing is due now. With online payment, the amount due now is the deposit (at most the
 *    total) until `balance_due_hours` before the start, and the total after that.
 *
 * An offering without pricing has one implicit rate at its price. The price applies per booking for an appointment, and
 * per place otherwise. If such an offering has no fees and no discount, its total is not limited.
 */
import * as Either from "effect/Either"
import { type Refusal, refuse } from "../Refusal.ts"
import {
  type Adjustment,
  type Deposit,
  type Discount,
  type Extra,
  type Extras,
  type Fee,
  maxExtrasPerBooking,
  type Party,
  type PriceLine,
  type Pricing,
  type QuoteView,
  type Rate
} from "./Pricing.ts"

/** The inputs for computing a price. A booking stores its terms, so later price changes do not affect it. */
export interface PriceTerms {
  readonly kind: "class" | "appointment" | "rental"
  /** The implicit rate's price. */
  readonly price_cents: number
  readonly pricing: Pricing | null
  /** The fees that apply to the offering. */
  readonly fees: ReadonlyArray<Fee>
  readonly discount: Discount | null
}

/** The requested rates and extras. Without a party, the request is for `quantity` places at the first rate. */
export interface RequestedItems {
  readonly party?: Party | undefined
  readonly quantity?: number | undefined
  readonly extras?: Extras | undefined
}

/** A booking's rates and extras with their quantities. The rates include the implicit rate. */
export interface SelectedItems {
  readonly places: number
  readonly rates: ReadonlyArray<{ readonly rate: Rate; readonly quantity: number }>
  readonly extras: ReadonlyArray<{ readonly extra: Extra; readonly quantity: number }>
}

export interface QuoteOptions {
  /** The number of periods in a rental, or 1 for other offerings. */
  readonly periods: number
  readonly adjustments: ReadonlyArray<Adjustment>
  /** The hours until the start. Null if the booking is not paid online. */
  readonly onlineHoursAhead: number | null
}

export type Quote = Omit<QuoteView, "currency">

/** The maximum subtotal and total. Percentages of amounts up to this limit are exact. */
export const maxTotalCents = 99_999_999_999

/** The only rate for an offering without pricing. */
export const implicitRate = { id: "standard", name: "Price" } as const

/** Returns the current terms for an offering. */
export const makePriceTerms = (
  { id, kind, priceCents, pricing }: {
    readonly id: string
    readonly kind: PriceTerms["kind"]
    readonly priceCents: number
    readonly pricing: Pricing | null
  },
  fees: ReadonlyArray<Fee>,
  discount: Discount | null = null
): PriceTerms => ({
  kind,
  price_cents: priceCents,
  pricing,
  fees: fees.filter(({ offering_ids = null }) => offering_ids === null || offering_ids.includes(id)),
  discount
})

/** Returns whether the terms produce price lines. Otherwise, `price_cents` alone determines the price. */
export const isPriced = ({ discount, fees, pricing }: PriceTerms): boolean =>
  pricing !== null || fees.length > 0 || discount !== null

/** Returns the price fields that a booking stores. */
export const toBookingPrice = (terms: PriceTerms, selection: SelectedItems, lines: ReadonlyArray<PriceLine>) => ({
  party: selection.rates.map(({ quantity, rate }) => ({ rate_id: rate.id, quantity })),
  extras: selection.extras.map(({ extra, quantity }) => ({ extra_id: extra.id, quantity })),
  lines,
  terms: toStoredTerms(terms, selection)
})

/**
 * Returns the terms that a booking stores: only its own rates and extras, at the prices that applied when it was
 * created.
 */
export const toStoredTerms = (terms: PriceTerms, { extras, rates }: SelectedItems): PriceTerms => ({
  ...terms,
  pricing: terms.pricing === null
    ? null
    : { ...terms.pricing, rates: rates.map(({ rate }) => rate), extras: extras.map(({ extra }) => extra) }
})

/**
 * Returns the terms for a change. Rates and extras that the booking already has keep their prices. New rates and extras
 * get the prices in `today`. A new extra is never required. `today` is undefined if only the quantity changes.
 */
export const computeChangeTerms = (keptTerms: PriceTerms, today: Pricing | null | undefined): PriceTerms => {
  if (today === undefined || today === null) return keptTerms
  if (keptTerms.pricing === null) return { ...keptTerms, pricing: today }
  const { extras = [], rates } = keptTerms.pricing
  const isNew = (ones: ReadonlyArray<{ readonly id: string }>) => ({ id }: { readonly id: string }) =>
    ones.every((one) => one.id !== id)
  return {
    ...keptTerms,
    pricing: {
      ...keptTerms.pricing,
      rates: [...rates, ...today.rates.filter(isNew(rates))],
      extras: [...extras, ...(today.extras ?? []).filter(isNew(extras)).map((one) => ({ ...one, required: false }))]
    }
  }
}

/** Returns the smallest number of places, at least `quantity`, that a guest can book without a party. */
export const computeBookableQuantity = (pricing: Pricing | null, quantity: number): number => {
  const places = pricing?.rates[0]?.places ?? 1
  return Math.ceil(Math.max(quantity, pricing?.min_places ?? 1) / places) * places
}

/** Returns the number of places for a party. Unknown rates count as 0 places. */
export const countPlaces = (pricing: Pricing | null, party: Party): number =>
  party.reduce(
    (sum, { quantity, rate_id }) => sum + quantity * (pricing?.rates.find(({ id }) => id === rate_id)?.places ?? 0),
    0
  )

/** Returns an extra's maximum quantity in a booking for `places`. */
export const getMaxExtraQuantity = ({ max = null, per }: Pick<Extra, "max" | "per">, places: number): number =>
  Math.min(max ?? Infinity, per === "place" ? places : maxExtrasPerBooking)

/** Returns an extra's minimum quantity in a booking for `places`. The minimum is 0 unless the extra is required. */
export const getMinExtraQuantity = (
  { per, required = false }: Pick<Extra, "per" | "required">,
  places: number
): number => required ? per === "place" ? places : 1 : 0

const refuseParty = (message: string) => Either.left(refuse("party_invalid", message))

/**
 * Selects the requested rates and extras, and adds the required extras. `min_places` applies only to new bookings by
 * guests, so changes and walk-ins pass `isChange`. This code avoids generators, because they would add 6 µs per
 * booking.
 */
export const selectItems = (
  { kind, price_cents, pricing }: PriceTerms,
  { extras: requestedExtras = [], party, quantity }: RequestedItems,
  isChange = false
): Either.Either<SelectedItems, Refusal<"party_invalid">> => {
  if (pricing === null) {
    if (party !== undefined) return refuseParty("party: this offering has no rates. Use quantity instead.")
    if (requestedExtras.length > 0) return refuseParty("extras: this offering has no extras")
    const places = quantity ?? 1
    const isPerBooking = kind === "appointment"
    const rate = { ...implicitRate, price_cents, places: isPerBooking ? places : 1 }
    return Either.right({ places, rates: [{ rate, quantity: isPerBooking ? 1 : places }], extras: [] })
  }
  const rateSelection = party === undefined ? selectDefaultRate(pricing, quantity ?? 1) : selectRates(pricing, party)
  if (Either.isLeft(rateSelection)) return Either.left(rateSelection.left)
  const { right: rates } = rateSelection
  const places = sum(rates, (one) => one.rate.places * one.quantity)
  const { min_places = 1 } = pricing
  const minPlaces = isChange ? 1 : min_places
  if (places < minPlaces) {
    return refuseParty(`party: must take at least ${minPlaces} ${minPlaces === 1 ? "spot" : "spots"}`)
  }
  if (quantity !== undefined && quantity !== places) {
    return refuseParty(`quantity: must be ${places} to match the party, or omitted`)
  }
  return Either.map(selectExtras(pricing, requestedExtras, places), (extras) => ({ places, rates, extras }))
}

const selectDefaultRate = (
  { rates: [rate] }: Pricing,
  quantity: number
): Either.Either<SelectedItems["rates"], Refusal<"party_invalid">> => {
  if (rate === undefined) throw new Error("Invariant violated: pricing without a rate")
  const { max = null, places } = rate
  if (quantity % places !== 0) return refuseParty(`quantity: must be a multiple of ${places}, unless party is set`)
  return max !== null && quantity / places > max
    ? refuseParty(`quantity: must be at most ${max * places}, unless party is set`)
    : Either.right([{ rate, quantity: quantity / places }])
}

const selectRates = (
  { rates }: Pricing,
  party: Party
): Either.Either<SelectedItems["rates"], Refusal<"party_invalid">> => {
  const selectedRates: Array<SelectedItems["rates"][number]> = []
  for (const [at, { quantity, rate_id }] of party.entries()) {
    const rate = rates.find(({ id }) => id === rate_id)
    if (rate === undefined) {
      return refuseParty(`party.${at}.rate_id: must be one of ${rates.map(({ id }) => id).join(", ")}`)
    }
    if (selectedRates.some((one) => one.rate === rate)) return refuseParty(`party.${at}.rate_id: must not repeat`)
    const { max = null, needs_any_of = [] } = rate
    if (max !== null && quantity > max) return refuseParty(`party.${at}.quantity: must be at most ${max}`)
    if (needs_any_of.length > 0 && !party.some((one) => needs_any_of.includes(one.rate_id))) {
      return refuseParty(`party.${at}.rate_id: requires one of these rates: ${needs_any_of.join(", ")}`)
    }
    selectedRates.push({ rate, quantity })
  }
  return Either.right(selectedRates)
}

const selectExtras = (
  { extras = [] }: Pricing,
  requestedExtras: Extras,
  places: number
): Either.Either<SelectedItems["extras"], Refusal<"party_invalid">> => {
  for (const [at, { extra_id, quantity }] of requestedExtras.entries()) {
    const extra = extras.find(({ id }) => id === extra_id)
    if (extra === undefined) return refuseParty(`extras.${at}.extra_id: is not an extra of this offering`)
    if (requestedExtras.findIndex((one) => one.extra_id === extra_id) < at) {
      return refuseParty(`extras.${at}.extra_id: must not repeat`)
    }
    const maxQuantity = getMaxExtraQuantity(extra, places)
    if (quantity > maxQuantity) return refuseParty(`extras.${at}.quantity: must be at most ${maxQuantity}`)
  }
  return Either.right(extras.flatMap((extra) => {
    const requestedQuantity = requestedExtras.find(({ extra_id }) => extra_id === extra.id)?.quantity ?? 0
    const quantity = Math.max(requestedQuantity, getMinExtraQuantity(extra, places))
    return quantity === 0 ? [] : [{ extra, quantity }]
  }))
}

/** Computes the price of a selection. */
export const quote = (
  terms: PriceTerms,
  selection: SelectedItems,
  { adjustments, onlineHoursAhead, periods }: QuoteOptions
): Either.Either<Quote, Refusal<"party_invalid">> => {
  const items = toLines(selection, terms.kind === "rental" ? periods : 1)
  const subtotal = sum(items, totalCents)
  if (isPriced(terms) && subtotal > maxTotalCents) return refuseParty("party: the price exceeds the maximum")

  const discount = terms.discount === null ? 0 : computeDiscount(terms.discount, subtotal)
  const shares = allocateAmount(discount, items.map(totalCents))
  const soldLines = items.map((item, at): PriceLine => ({ ...item, discount_cents: shares[at] ?? 0 }))
  const fees = computeFees(terms.fees, soldLines, selection.places)
  const addedFees = fees.filter(({ included }) => !included)
  const feesCents = sum(addedFees, totalCents)
  const adjustmentsCents = sum(adjustments, ({ cents }) => cents)
  const total = subtotal - discount + feesCents + adjustmentsCents
  if (total < 0) return refuseParty("adjustments: must not reduce the total below 0")
  if (isPriced(terms) && total > maxTotalCents) return refuseParty("party: the price exceeds the maximum")

  return Either.right({
    lines: [
      ...soldLines,
      ...(terms.discount === null ? [] : [
        makeLine("discount", { id: terms.discount.id, name: terms.discount.code }, 1, 0 - discount)
      ]),
      ...fees,
      ...adjustments.map(({ cents, name }, at) => makeLine("adjustment", { id: String(at + 1), name }, 1, cents))
    ],
    subtotal_cents: subtotal,
    discount_cents: discount,
    fees_cents: feesCents,
    included_fees_cents: sum(fees, totalCents) - feesCents,
    tax_cents: sum(fees.filter(({ tax }) => tax), totalCents),
    adjustments_cents: adjustmentsCents,
    total_cents: total,
    due_now_cents: onlineHoursAhead === null
      ? 0
      : computeDeposit(terms.pricing?.deposit ?? null, onlineHoursAhead, total, selection.places)
  })
}

const totalCents = ({ total_cents }: PriceLine): number => total_cents

const sum = <A>(items: ReadonlyArray<A>, amount: (item: A) => number): number =>
  items.reduce((total, item) => total + amount(item), 0)

const makeLine = (
  kind: PriceLine["kind"],
  { id, name }: Pick<PriceLine, "id" | "name">,
  quantity: number,
  unit_cents: number,
  flags: Pick<PriceLine, "tax" | "included"> = { tax: false, included: false }
): PriceLine => ({
  kind,
  id,
  name,
  quantity,
  unit_cents,
  total_cents: unit_cents * quantity,
  discount_cents: 0,
  ...flags
})

const toLines = ({ extras, rates }: SelectedItems, periods: number): ReadonlyArray<PriceLine> => [
  ...rates.map(({ quantity, rate }) => makeLine("rate", rate, quantity, rate.price_cents * periods)),
  ...extras.map(({ extra, quantity }) =>
    makeLine("extra", extra, quantity, extra.price_cents * (extra.each_period === true ? periods : 1))
  )
]

/**
 * Returns `amount × numerator ÷ denominator`, rounded half up. BigInt keeps the result exact, because the product can
 * exceed 2^53.
 */
const scale = (amount: number, numerator: number, denominator = 10_000): number => {
  const divisor = 2n * BigInt(denominator)
  return Number((2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / divisor)
}

const computeDiscount = ({ cents = 0, percent_bps }: Discount, subtotal: number): number =>
  percent_bps === undefined ? Math.min(cents, subtotal) : scale(subtotal, percent_bps)

/** Divides an amount among lines in proportion to their amounts, using the largest-remainder method. */
export const allocateAmount = (amount: number, lines: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (amount === 0) return lines.map(() => 0)
  const linesTotal = BigInt(sum(lines, (one) => one))
  const products = lines.map((one) => BigInt(amount) * BigInt(one))
  const shares = products.map((product) => Number(product / linesTotal))
  const fractions = products.map((product) => product % linesTotal)
  // The sort is stable, so if two lines have equal fractions, the earlier line comes first.
  const indexesByFraction = [...fractions.keys()].sort((a, b) => Number((fractions[b] ?? 0n) - (fractions[a] ?? 0n)))
  const roundedUp = new Set(indexesByFraction.slice(0, amount - sum(shares, (one) => one)))
  return shares.map((share, at) => roundedUp.has(at) ? share + 1 : share)
}

const computeFees = (
  fees: ReadonlyArray<Fee>,
  soldLines: ReadonlyArray<PriceLine>,
  places: number
): ReadonlyArray<PriceLine> => {
  const netCents = (on: Fee["on"]) =>
    sum(
      soldLines,
      ({ discount_cents, kind, total_cents }) =>
        on === "rates" && kind !== "rate" || on === "extras" && kind !== "extra" ? 0 : total_cents - discount_cents
    )
  const includedBps = sum(fees, ({ included = false, percent_bps = 0 }) => included ? percent_bps : 0)
  let addedCents = 0
  return fees.map((fee) => {
    const { cents = 0, compound = false, included = false, on = "all", per, percent_bps, tax = false } = fee
    const flags = { tax, included }
    const feeLine = percent_bps === undefined
      ? makeLine("fee", fee, per === "place" ? places : 1, cents, flags)
      : included
      ? makeLine("fee", fee, 1, scale(netCents("all"), percent_bps, 10_000 + includedBps), flags)
      : makeLine("fee", fee, 1, scale(netCents(on) + (compound ? addedCents : 0), percent_bps), flags)
    if (!included) addedCents += feeLine.total_cents
    return feeLine
  })
}

/** Returns the amount due now for an online booking: the deposit or the total. */
export const computeDeposit = (deposit: Deposit | null, hoursAhead: number, total: number, places: number): number => {
  if (deposit === null || hoursAhead < deposit.balance_due_hours) return total
  const { cents = 0, per, percent_bps } = deposit
  return Math.min(total, percent_bps === undefined ? cents * (per === "place" ? places : 1) : scale(total, percent_bps))
}
