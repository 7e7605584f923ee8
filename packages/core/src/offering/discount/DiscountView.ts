import * as Schema from "effect/Schema"
import * as Event from "../../port/Event.ts"
import * as Instant from "../../time/Instant.ts"
import * as LocalDate from "../../time/LocalDate.ts"
import { withDescription } from "../../wire/Field.ts"
import { Date, Id, ids, Integer, Timestamp } from "../../wire/View.ts"
import type { DiscountCode } from "./DiscountCode.ts"
import type { DiscountUses } from "./DiscountStore.ts"

const date = (words: string, example: string) => withDescription(words, Schema.NullOr(Date), example)

export const DiscountView = Schema.Struct({
  id: withDescription("its ID", Id, ids.discount),
  code: withDescription("the code in uppercase, unique in the org", Schema.String, "SPRING"),
  percent_bps: withDescription(
    "the discount in hundredths of a percent, or null if cents is set",
    Schema.NullOr(Integer),
    1000
  ),
  cents: withDescription("the discount as a fixed amount, or null if percent_bps is set", Schema.NullOr(Integer), null),
  offering_ids: withDescription(
    "the offerings that the code applies to, or null for all offerings",
    Schema.NullOr(Schema.Array(Id)),
    null
  ),
  book_from: date("the first local date on which the code can be used", "2027-03-01"),
  book_until: date("the last local date on which the code can be used", "2027-05-31"),
  start_from: date("the first local date on which a booking can start", "2027-05-01"),
  start_until: date("the last local date on which a booking can start", "2027-06-30"),
  max_uses: withDescription("the maximum number of uses, or null for no limit", Schema.NullOr(Integer), 100),
  active: withDescription("whether the code can be used", Schema.Boolean, true),
  returns_on_cancel: withDescription(
    "whether canceled bookings stop counting toward max_uses",
    Schema.Boolean,
    true
  ),
  created_at: withDescription("when it was created", Timestamp, "2027-02-12T18:03:11.482Z")
}).annotations({ identifier: "Discount" })
export type DiscountView = typeof DiscountView.Type

/** A discount code with its uses and revenue. */
export const UsedDiscountView = Schema.Struct({
  ...DiscountView.fields,
  uses: withDescription("the number of bookings that count toward max_uses, including live holds", Integer, 12),
  revenue_cents: withDescription(
    "the total of the confirmed bookings with this code, in the org's currency",
    Integer,
    205200
  )
}).annotations({ identifier: "UsedDiscount" })
export type UsedDiscountView = typeof UsedDiscountView.Type

export const discountView = (discount: DiscountCode): DiscountView => ({
  id: discount.id,
  code: discount.code,
  percent_bps: discount.percentBps,
  cents: discount.cents,
  offering_ids: discount.offeringIds,
  book_from: dateView(discount.bookFrom),
  book_until: dateView(discount.bookUntil),
  start_from: dateView(discount.startFrom),
  start_until: dateView(discount.startUntil),
  max_uses: discount.maxUses,
  active: discount.active,
  returns_on_cancel: discount.returnsOnCancel,
  created_at: Instant.format(discount.createdAt)
})

const dateView = (date: LocalDate.LocalDate | null): string | null => date === null ? null : LocalDate.format(date)

export const usedDiscountView = (
  { discount, revenueCents, uses }: Omit<DiscountUses, "id"> & { readonly discount: DiscountCode }
): UsedDiscountView => ({ ...discountView(discount), uses, revenue_cents: revenueCents })

export const discountEvents = [
  Event.make("discount.created", { data: DiscountView, when: "A discount code is created." }),
  Event.make("discount.updated", { data: DiscountView, when: "A discount code is changed." }),
  Event.make("discount.deleted", {
    data: DiscountView,
    when: "A discount code is deleted. Bookings keep their prices."
  })
] as const
