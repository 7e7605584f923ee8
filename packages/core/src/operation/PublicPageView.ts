import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { NothingFreeView, nothingFreeView, SlotView, slotView } from "../availability/AvailabilityView.ts"
import type { OpenMonth } from "../availability/OpenDays.ts"
import type { Slot } from "../availability/remainingSlots.ts"
import { type BookingRecord, BookingView, bookingView } from "../booking/BookingView.ts"
import { ClosureView, closureView } from "../offering/closure/ClosureView.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingView, photoViews } from "../offering/OfferingView.ts"
import type { Org } from "../org/Org.ts"
import { OrgView } from "../org/OrgView.ts"
import { Line } from "../pricing/Pricing.ts"
import { isPriced, makeTerms, quote, select } from "../pricing/quote.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { withDescription } from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { Date, Integer } from "../wire/View.ts"

/** The public fields of an org. */
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

export const publicOrgView: (org: Org) => PublicOrgView = toView(PublicOrgView)

/** The public fields of an offering. Metadata, notice, and horizon are not public. */
export const PublicOfferingView = OfferingView.pick(
  "id",
  "kind",
  "name",
  "description",
  "location",
  "duration_minutes",
  "max_per_booking",
  "max_periods",
  "price_cents",
  "lat",
  "lon",
  "photos",
  "info"
)
export type PublicOfferingView = typeof PublicOfferingView.Type

const plainOfferingView = toView(PublicOfferingView)
export const publicOfferingView = (offering: Offering): PublicOfferingView =>
  plainOfferingView({ ...offering, photos: photoViews(offering) })

/** An offering in the list of a booking page. */
export const PublicListedView = Schema.Struct({
  ...PublicOfferingView.fields,
  next: withDescription("the first start with room; null if none is near", Schema.NullOr(SlotView))
})
export type PublicListedView = typeof PublicListedView.Type

export const publicListedView = (offering: Offering, next: Slot | undefined): PublicListedView => ({
  ...publicOfferingView(offering),
  next: next === undefined ? null : slotView(next)
})

/** A day of the month on a booking page. */
export const PublicDayView = Schema.Struct({
  date: withDescription("the day, local to the outfitter", Date),
  starts: withDescription("the number of starts with room for the requested quantity", Integer, 3),
  remaining: withDescription("the highest remaining capacity of one start", Integer, 8)
})
export type PublicDayView = typeof PublicDayView.Type

/** A month of an offering on a booking page. */
export const PublicMonthView = Schema.Struct({
  org: PublicOrgView,
  offering: PublicOfferingView,
  quantity: withDescription("the requested quantity, or the maximum per booking", Integer, 2),
  periods: withDescription("the requested periods, or the maximum per booking", Integer, 1),
  lines: withDescription("the lines of the price; empty without pricing and fees", Schema.Array(Line)),
  total_cents: withDescription("the price; null if this quantity cannot be booked", Schema.NullOr(Integer)),
  may_pay_online: withDescription("whether payment can be required before a booking is confirmed", Schema.Boolean),
  today: withDescription("the current date, local to the outfitter", Date),
  month: withDescription("the first date of the month", Date),
  horizon: withDescription("the last date that can be booked", Date),
  days: withDescription("the days with starts", Schema.Array(PublicDayView)),
  closures: withDescription(
    "the closed dates of the month, from today",
    Schema.Array(ClosureView.pick("from_date", "to_date", "start_time", "end_time", "reason"))
  ),
  date: withDescription("the selected day; null if no day has room", Schema.NullOr(Date)),
  slots: withDescription("the starts of that day", Schema.Array(SlotView)),
  nothing_free: withDescription(
    "present if the month has no room for the requested quantity",
    Schema.NullOr(NothingFreeView)
  )
})
export type PublicMonthView = typeof PublicMonthView.Type

/** The price of the quantity at the first rate. */
const priceOf = ({ offering, org, periods, quantity }: OpenMonth): Pick<PublicMonthView, "lines" | "total_cents"> => {
  const terms = makeTerms(offering, org.fees)
  const facts = { periods, adjustments: [], onlineHoursAhead: null }
  const price = Either.flatMap(select(terms, { quantity }), (selection) => quote(terms, selection, facts))
  return Either.match(price, {
    onLeft: () => ({ lines: [], total_cents: null }),
    onRight: ({ lines, total_cents }) => ({ lines: isPriced(terms) ? lines : [], total_cents })
  })
}

export const publicMonthView = (open: OpenMonth): PublicMonthView => ({
  ...priceOf(open),
  org: publicOrgView(open.org),
  offering: publicOfferingView(open.offering),
  quantity: open.quantity,
  periods: open.periods,
  may_pay_online: open.org.plan === "pro" && priceOf(open).total_cents !== 0,
  today: LocalDate.format(open.today),
  month: LocalDate.format(open.month),
  horizon: LocalDate.format(open.horizon),
  days: open.days.map(({ date, remaining, starts }) => ({ date: LocalDate.format(date), starts, remaining })),
  closures: open.closures.map((closure) =>
    Struct.pick(closureView(closure), "from_date", "to_date", "start_time", "end_time", "reason")
  ),
  date: open.date === undefined ? null : LocalDate.format(open.date),
  slots: open.slots.map(slotView),
  nothing_free: open.nothingFree === undefined ? null : nothingFreeView(open.nothingFree)
})

const bookedFields = ["handle", "reference", "status", "checkout_url", "expires_at", "total_cents"] as const

/**
 * A booking as its visitor sees it after booking. Apart from the price and the link, it contains only the visitor's
 * input, so it reveals nothing about an existing customer with this email.
 */
export const PublicBookedView = BookingView.pick(...bookedFields)
export type PublicBookedView = typeof PublicBookedView.Type

export const publicBookedView = (record: BookingRecord): PublicBookedView =>
  Struct.pick(bookingView(record), ...bookedFields)
