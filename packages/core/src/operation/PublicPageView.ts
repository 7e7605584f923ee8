import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { EmptyAvailabilityView, emptyAvailabilityView, SlotView, slotView } from "../availability/AvailabilityView.ts"
import type { OpenMonth } from "../availability/loadOpenMonth.ts"
import type { Slot } from "../availability/remainingSlots.ts"
import { computeDueNowCents } from "../booking/balance.ts"
import { type BookingRecord, BookingView, bookingView } from "../booking/BookingView.ts"
import { ClosureView, closureView } from "../offering/closure/Closure.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingView, toPhotoViews } from "../offering/OfferingView.ts"
import type { Org } from "../org/Org.ts"
import { OrgView } from "../org/OrgView.ts"
import { CancellationPolicyView } from "../pricing/CancellationPolicy.ts"
import { type Discount, ExtrasView, PartyView, PriceLine, QuoteView } from "../pricing/Pricing.ts"
import { computeBookableQuantity, isPriced, makePriceTerms, quote, selectItems } from "../pricing/quote.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { withDescription } from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { Date, Integer, Timestamp } from "../wire/View.ts"

/** An org's public fields. */
export const PublicOrgView = OrgView.pick(
  "name",
  "slug",
  "timezone",
  "currency",
  "phone",
  "reply_window",
  "away_notice",
  "accent",
  "logo_url",
  "cover_url"
)
export type PublicOrgView = typeof PublicOrgView.Type

export const publicOrgView: (org: Org) => PublicOrgView = makeViewMapper(PublicOrgView)

/** An offering's public fields. Metadata, notice, and horizon are not public. */
const offeringFields = OfferingView.pick(
  "id",
  "kind",
  "name",
  "description",
  "location",
  "duration_minutes",
  "max_per_booking",
  "max_periods",
  "price_cents",
  "pricing",
  "lat",
  "lon",
  "photos",
  "info"
)
const policyField = withDescription(
  "the cancellation policy, or null for full refunds until the start",
  Schema.NullOr(CancellationPolicyView)
)

const policyOf = ({ cancellationPolicy }: Offering, org: Org) => cancellationPolicy ?? org.cancellationPolicy

export const PublicOfferingView = Schema.Struct({
  ...offeringFields.fields,
  cancellation_policy: policyField,
  from_cents: withDescription(
    "the total for the smallest party before added taxes, or null if the offering has no pricing and no fees",
    Schema.NullOr(Integer)
  )
})
export type PublicOfferingView = typeof PublicOfferingView.Type

const offeringView = makeViewMapper(offeringFields)

export const publicOfferingView = (offering: Offering, org: Org): PublicOfferingView => {
  const terms = makePriceTerms(offering, org.fees.filter(({ included = false, tax = false }) => included || !tax))
  const smallestQuote = Either.flatMap(
    selectItems(terms, { quantity: computeBookableQuantity(offering.pricing, 1) }),
    (selection) => quote(terms, selection, { periods: 1, adjustments: [], onlineHoursAhead: null })
  )
  return {
    ...offeringView({ ...offering, photos: toPhotoViews(offering) }),
    cancellation_policy: policyOf(offering, org),
    from_cents: isPriced(terms) && Either.isRight(smallestQuote) ? smallestQuote.right.total_cents : null
  }
}

/** An offering in a booking page's list. */
export const PublicListingView = Schema.Struct({
  ...PublicOfferingView.fields,
  next: withDescription("the first available start, or null if none is available soon", Schema.NullOr(SlotView))
})
export type PublicListingView = typeof PublicListingView.Type

export const publicListingView = (offering: Offering, org: Org, next: Slot | undefined): PublicListingView => ({
  ...publicOfferingView(offering, org),
  next: next === undefined ? null : slotView(next)
})

/** A day in a booking page's month. */
export const PublicDayView = Schema.Struct({
  date: withDescription("the date in the outfitter's time zone", Date),
  starts: withDescription("the number of starts available for the requested quantity", Integer, 3),
  remaining: withDescription("the highest remaining capacity of any start", Integer, 8)
})
export type PublicDayView = typeof PublicDayView.Type

/** An offering's month on a booking page. */
export const PublicMonthView = Schema.Struct({
  org: PublicOrgView,
  offering: PublicOfferingView,
  quantity: withDescription("the number of spots for the party, capped at the maximum per booking", Integer, 2),
  party: withDescription("the selected rates, or empty if the offering has no pricing", PartyView),
  extras: withDescription("the selected and required extras", ExtrasView),
  periods: withDescription("the requested periods, capped at the maximum per booking", Integer, 1),
  lines: withDescription(
    "the price lines, or empty if the offering has no pricing and no fees",
    Schema.Array(PriceLine)
  ),
  total_cents: withDescription("the price, or null if this party cannot be booked", Schema.NullOr(Integer)),
  deposit: withDescription(
    "the deposit to pay online instead of the full price, or null if there is none",
    Schema.NullOr(Schema.Struct({
      cents: withDescription("the amount", Integer),
      starts_from: withDescription("the earliest start time for which the deposit is accepted", Timestamp)
    }))
  ),
  may_pay_online: withDescription("whether payment can be required before a booking is confirmed", Schema.Boolean),
  today: withDescription("the current date in the outfitter's time zone", Date),
  month: withDescription("the first date of the month", Date),
  horizon: withDescription("the last bookable date", Date),
  days: withDescription("the days with starts", Schema.Array(PublicDayView)),
  closures: withDescription(
    "the closed dates in the month, starting today",
    Schema.Array(ClosureView.pick("from_date", "to_date", "start_time", "end_time", "reason"))
  ),
  takes_codes: withDescription("whether the outfitter has discount codes", Schema.Boolean),
  date: withDescription("the selected day, or null if no day is available", Schema.NullOr(Date)),
  slots: withDescription("the selected day's starts", Schema.Array(SlotView)),
  nothing_free: withDescription(
    "present if no day in the month is available for the requested quantity",
    Schema.NullOr(EmptyAvailabilityView)
  )
})
export type PublicMonthView = typeof PublicMonthView.Type

interface MonthFacts {
  readonly discount: Discount | null
  readonly now: Instant.Instant
  /** Whether the outfitter has discount codes. */
  readonly takesCodes: boolean
  /** Whether the offering's deposit is paid online. */
  readonly takesDeposit: boolean
}

/** Returns the selection and its price. Without a party, the quantity is booked at the first rate. */
const computePrice = (
  { extras = [], offering, org, party, periods, quantity }: OpenMonth,
  { discount, now, takesDeposit }: MonthFacts
): Pick<PublicMonthView, "deposit" | "extras" | "lines" | "party" | "total_cents"> => {
  const terms = makePriceTerms(offering, org.fees, discount)
  const facts = { periods, adjustments: [], onlineHoursAhead: Infinity }
  const deposit = takesDeposit ? offering.pricing?.deposit ?? null : null
  const requestedItems = party === undefined ? { quantity, extras } : { party, extras }
  const price = Either.flatMap(
    selectItems(terms, requestedItems),
    (selection) => Either.map(quote(terms, selection, facts), (price) => ({ price, selection }))
  )
  return Either.match(price, {
    onLeft: () => ({ party: party ?? [], extras, lines: [], total_cents: null, deposit: null }),
    onRight: ({ price: { due_now_cents: cents, lines, total_cents }, selection }) => ({
      deposit: deposit === null || cents === total_cents
        ? null
        : { cents, starts_from: Instant.format(Instant.addMinutes(now, 60 * deposit.balance_due_hours)) },
      party: offering.pricing === null
        ? []
        : selection.rates.map(({ quantity, rate }) => ({ rate_id: rate.id, quantity })),
      extras: selection.extras.map(({ extra, quantity }) => ({ extra_id: extra.id, quantity })),
      lines: isPriced(terms) ? lines : [],
      total_cents
    })
  })
}

export const publicMonthView = (openMonth: OpenMonth, facts: MonthFacts): PublicMonthView => {
  const price = computePrice(openMonth, facts)
  return {
    ...price,
    org: publicOrgView(openMonth.org),
    offering: publicOfferingView(openMonth.offering, openMonth.org),
    quantity: openMonth.quantity,
    periods: openMonth.periods,
    may_pay_online: openMonth.org.plan === "pro" && price.total_cents !== 0,
    today: LocalDate.format(openMonth.today),
    month: LocalDate.format(openMonth.month),
    horizon: LocalDate.format(openMonth.horizon),
    days: openMonth.days.map(({ date, remaining, starts }) => ({ date: LocalDate.format(date), starts, remaining })),
    closures: openMonth.closures.map((closure) =>
      Struct.pick(closureView(closure), "from_date", "to_date", "start_time", "end_time", "reason")
    ),
    takes_codes: facts.takesCodes,
    date: openMonth.date === undefined ? null : LocalDate.format(openMonth.date),
    slots: openMonth.slots.map(slotView),
    nothing_free: openMonth.nothingFree === undefined ? null : emptyAvailabilityView(openMonth.nothingFree)
  }
}

/** A booking's price, with its cancellation terms. */
export const PublicQuoteView = Schema.Struct({ ...QuoteView.fields, cancellation_policy: policyField })

export const publicQuoteView = (quote: QuoteView, offering: Offering, org: Org): typeof PublicQuoteView.Type => ({
  ...quote,
  cancellation_policy: policyOf(offering, org)
})

const bookedFields = ["handle", "reference", "status", "checkout_url", "expires_at", "total_cents"] as const

/**
 * A new booking as shown to the visitor who made it. Besides the price and the link, it contains only the visitor's own
 * input. It reveals nothing about an existing customer with the same email address.
 */
export const PublicBookingView = Schema.Struct({
  ...BookingView.pick(...bookedFields).fields,
  due_now_cents: withDescription("the amount to pay online to confirm a hold", Integer)
})
export type PublicBookingView = typeof PublicBookingView.Type

export const publicBookingView = (record: BookingRecord): PublicBookingView => ({
  ...Struct.pick(bookingView(record), ...bookedFields),
  due_now_cents: computeDueNowCents(record.booking)
})
