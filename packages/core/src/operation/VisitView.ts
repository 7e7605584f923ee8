import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { NothingFreeView, nothingFreeView, SlotView, slotView } from "../availability/AvailabilityView.ts"
import type { OpenMonth } from "../availability/OpenDays.ts"
import type { Slot } from "../availability/slotsLeft.ts"
import { type BookingRecord, BookingView, bookingView } from "../booking/BookingView.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingView } from "../offering/OfferingView.ts"
import type { Org } from "../org/Org.ts"
import { OrgView } from "../org/OrgView.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { means } from "../wire/Field.ts"
import { viewOf } from "../wire/naming.ts"
import { Date, Integer } from "../wire/View.ts"

/**
 * Of an org, what everybody may know.
 *
 * @category schemas
 */
export const VisitOrgView = OrgView.pick(
  "name",
  "slug",
  "timezone",
  "currency",
  "reply_window",
  "away_notice",
  "accent",
  "logo_url",
  "cover_url"
)
export type VisitOrgView = typeof VisitOrgView.Type

/**
 * @category converting
 */
export const visitOrgView: (org: Org) => VisitOrgView = viewOf(VisitOrgView)

/**
 * Of an offering, what everybody may know: metadata, notice and horizon are the outfitter's own.
 *
 * @category schemas
 */
export const VisitOfferingView = OfferingView.pick(
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
  "lon"
)
export type VisitOfferingView = typeof VisitOfferingView.Type

/**
 * @category converting
 */
export const visitOfferingView: (offering: Offering) => VisitOfferingView = viewOf(VisitOfferingView)

/**
 * An offering in the list of a booking page.
 *
 * @category schemas
 */
export const VisitListedView = Schema.Struct({
  ...VisitOfferingView.fields,
  next: means("the first start with room; null where none is near", Schema.NullOr(SlotView))
})
export type VisitListedView = typeof VisitListedView.Type

/**
 * @category converting
 */
export const visitListedView = (offering: Offering, next: Slot | undefined): VisitListedView => ({
  ...visitOfferingView(offering),
  next: next === undefined ? null : slotView(next)
})

/**
 * A day of the month on a booking page.
 *
 * @category schemas
 */
export const VisitDayView = Schema.Struct({
  date: means("the day, local to the outfitter", Date),
  starts: means("how many starts have room for as many as are wanted", Integer, 3),
  remaining: means("the most that is left at one of them", Integer, 8)
})
export type VisitDayView = typeof VisitDayView.Type

/**
 * A month of an offering on a booking page.
 *
 * @category schemas
 */
export const VisitMonthView = Schema.Struct({
  org: VisitOrgView,
  offering: VisitOfferingView,
  quantity: means("as many as were asked for, or the most that one booking may have", Integer, 2),
  periods: means("likewise", Integer, 1),
  may_pay_online: means("whether money may be due before a booking is confirmed", Schema.Boolean),
  today: means("the date of now, local to the outfitter", Date),
  month: means("the first of the month", Date),
  horizon: means("the last date that can be booked", Date),
  days: means("those on which something starts", Schema.Array(VisitDayView)),
  date: means("the day that is chosen; null where none has room", Schema.NullOr(Date)),
  slots: means("what starts on that day", Schema.Array(SlotView)),
  nothing_free: means("where the month has no room for as many as are wanted", Schema.NullOr(NothingFreeView))
})
export type VisitMonthView = typeof VisitMonthView.Type

/**
 * @category converting
 */
export const visitMonthView = (open: OpenMonth): VisitMonthView => ({
  org: visitOrgView(open.org),
  offering: visitOfferingView(open.offering),
  quantity: open.quantity,
  periods: open.periods,
  may_pay_online: open.org.plan === "pro" && open.offering.priceCents > 0,
  today: LocalDate.format(open.today),
  month: LocalDate.format(open.month),
  horizon: LocalDate.format(open.horizon),
  days: open.days.map(({ date, remaining, starts }) => ({ date: LocalDate.format(date), starts, remaining })),
  date: open.date === undefined ? null : LocalDate.format(open.date),
  slots: open.slots.map(slotView),
  nothing_free: open.nothingFree === undefined ? null : nothingFreeView(open.nothingFree)
})

const bookedFields = ["handle", "reference", "status", "checkout_url", "expires_at", "total_cents"] as const

/**
 * A booking as whoever made it on a booking page is told of it: nothing is in it that was not typed there but what it
 * costs and where it is found, so nobody learns by it what is known of an e-mail address.
 *
 * @category schemas
 */
export const VisitBookedView = BookingView.pick(...bookedFields)
export type VisitBookedView = typeof VisitBookedView.Type

/**
 * @category converting
 */
export const visitBookedView = (record: BookingRecord): VisitBookedView =>
  Struct.pick(bookingView(record), ...bookedFields)
