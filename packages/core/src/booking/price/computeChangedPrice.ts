/**
 * Changes a booking's party, extras, discount, adjustments, and notes, and computes the new price from the terms that
 * are stored with the booking. Current terms apply only to rates, extras, and a discount code that the booking did not
 * have before.
 */
import * as Either from "effect/Either"
import type { Offering } from "../../offering/Offering.ts"
import type { Adjustment, Discount, Extras } from "../../pricing/Pricing.ts"
import {
  computeChangeTerms,
  implicitRate,
  makePriceTerms,
  type PriceTerms,
  type Quote,
  quote,
  type RequestedItems,
  selectItems,
  toBookingPrice
} from "../../pricing/quote.ts"
import { invalid, type Refusal, refuse } from "../../Refusal.ts"
import type { Booking, BookingChange } from "../Booking.ts"
import { checkExpectedPrice } from "../createBooking.ts"

export interface PriceChange extends RequestedItems {
  /** The new list of adjustments, which replaces the current one. */
  readonly adjustments?: ReadonlyArray<Adjustment> | undefined
  /** The new discount. Null removes the current discount. */
  readonly discount?: Discount | null | undefined
}

export interface BookingChangeRequest
  extends Omit<PriceChange, "discount">, Omit<BookingChange, "quantity" | "totalCents" | "price">
{
  /** The code of the new discount. Null removes the current discount. */
  readonly discountCode?: string | null | undefined
  /** The price that the caller showed to the guest. If the actual price is different, the change is refused. */
  readonly expectedTotalCents?: number | undefined
  /** A refunded amount, in cents. An adjustment reduces the total by this amount, but not below 0. */
  readonly refundedCents?: number
}

type PricedOffering = Pick<Offering, "id" | "kind" | "priceCents" | "pricing" | "maxPerBooking">

export type PriceChangeRefusal = Refusal<"invalid_request" | "party_invalid">

/**
 * Returns the discount code that a change adds. If the booking already has the code, the stored terms still apply, even
 * if the code has since changed.
 */
export const findNewDiscountCode = (
  { price }: Pick<Booking, "price">,
  code: string | null | undefined
): string | undefined => code === null || code === price?.terms.discount?.code ? undefined : code

/**
 * Returns the fields that a change sets. The price is omitted if the request does not change it. `newDiscount` is the
 * discount from the code that the request adds.
 */
export const computeBookingChange = (
  booking: Booking,
  { discountCode, expectedTotalCents, extras, party, quantity, refundedCents, ...change }: BookingChangeRequest,
  offering: PricedOffering,
  newDiscount?: Discount
): Either.Either<BookingChange, PriceChangeRefusal | Refusal<"price_changed">> =>
  Either.gen(function*() {
    const { adjustments = refundedCents === undefined ? undefined : withRefund(booking, refundedCents), ...fields } =
      change
    const discount = discountCode === null ? null : newDiscount
    const isPriceKept = [adjustments, discount, extras, party].every((field) => field === undefined) &&
      (quantity === undefined || quantity === booking.quantity)
    const priceChange: BookingChange = isPriceKept
      ? {}
      : (yield* computeChangedPrice(booking, { adjustments, discount, extras, party, quantity }, offering)).change
    yield* checkExpectedPrice({ expectedTotalCents }, priceChange.totalCents ?? booking.totalCents, booking)
    return { ...fields, ...priceChange }
  })

/** Computes a booking's price after a change. If nothing changes, returns the current price with its lines. */
export const computeChangedPrice = (
  booking: Booking,
  change: PriceChange,
  offering: PricedOffering
): Either.Either<
  { readonly quoted: Quote; readonly change: Required<Pick<BookingChange, "quantity" | "totalCents" | "price">> },
  PriceChangeRefusal
> =>
  Either.gen(function*() {
    const { periods, price } = booking
    const bookedTerms = price?.terms ?? deriveTerms(booking, offering)
    const baseTerms = change.discount === undefined ? bookedTerms : { ...bookedTerms, discount: change.discount }
    const isQuantityChanged = change.quantity !== undefined && change.quantity !== booking.quantity
    if (isQuantityChanged && change.party === undefined && (price?.party ?? []).length > 1) {
      return yield* Either.left(
        refuse("party_invalid", "quantity: cannot be set for a booking with multiple rates. Set party instead.")
      )
    }
    const terms = change.party === undefined && change.extras === undefined
      ? baseTerms
      : computeChangeTerms(withRates(baseTerms, change.quantity ?? booking.quantity), offering.pricing)
    const isPartyKept = change.party === undefined && !isQuantityChanged && terms.pricing !== null
    const party = change.party ?? (isPartyKept ? price?.party : undefined)
    // A party determines the number of spots. Without a party, the spots are booked at the booking's first rate.
    const quantity = party === undefined ? change.quantity ?? booking.quantity : change.quantity
    const { places } = yield* selectItems(terms, { party, quantity }, true)
    if (places > Math.max(booking.quantity, offering.maxPerBooking)) {
      return yield* Either.left(
        invalid(`quantity: must be at most ${offering.maxPerBooking}, the maximum per booking`)
      )
    }
    const extras = change.extras ?? capExtras(price?.extras ?? [], terms, places)
    const selection = yield* selectItems(terms, { party, quantity, extras }, true)
    const { adjustments = toAdjustments(booking) } = change
    const newQuote = yield* quote(terms, selection, { periods, adjustments, onlineHoursAhead: null })
    return {
      quoted: newQuote,
      change: {
        quantity: places,
        totalCents: newQuote.total_cents,
        price: toBookingPrice(terms, selection, newQuote.lines)
      }
    }
  })

/** Returns a booking's adjustments, which are stored as price lines. */
export const toAdjustments = ({ price }: Pick<Booking, "price">): ReadonlyArray<Adjustment> =>
  (price?.lines ?? []).flatMap(({ kind, name, total_cents: cents }) => kind === "adjustment" ? [{ name, cents }] : [])

/**
 * Adds a refund to a booking's refund adjustment. All refunds share one adjustment, because the number of adjustments
 * is limited.
 */
const withRefund = (booking: Booking, cents: number): ReadonlyArray<Adjustment> => {
  const adjustments = toAdjustments(booking)
  const earlierCents = adjustments.find(({ name }) => name === "Refund")?.cents ?? 0
  const refund = { name: "Refund", cents: earlierCents - Math.min(cents, booking.totalCents) }
  return [...adjustments.filter(({ name }) => name !== "Refund"), ...(refund.cents === 0 ? [] : [refund])]
}

/** Derives the terms for a booking that stores only a total. The total is a multiple of the unit price. */
const deriveTerms = ({ periods, quantity, totalCents }: Booking, offering: PricedOffering): PriceTerms => {
  const units = offering.kind === "appointment" ? 1 : offering.kind === "rental" ? quantity * periods : quantity
  return { ...makePriceTerms(offering, []), price_cents: Math.round(totalCents / units), pricing: null }
}

/** Adds the implicit rate to the terms so that the booking keeps its price even if the offering now has rates. */
const withRates = (terms: PriceTerms, quantity: number): PriceTerms => {
  if (terms.pricing !== null) return terms
  const places = terms.kind === "appointment" ? quantity : 1
  const rate = { ...implicitRate, price_cents: terms.price_cents, places }
  return { ...terms, pricing: { rates: [rate] } }
}

/** Reduces the quantities of per-seat extras if the party becomes smaller. */
const capExtras = (extras: Extras, { pricing }: PriceTerms, places: number): Extras =>
  extras.map(({ extra_id, quantity }) => {
    const isPerPlace = pricing?.extras?.find(({ id }) => id === extra_id)?.per === "place"
    return { extra_id, quantity: isPerPlace ? Math.min(quantity, places) : quantity }
  })
