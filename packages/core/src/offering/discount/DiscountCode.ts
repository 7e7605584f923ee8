/**
 * The rules for discount codes. A code applies to a booking for one of its offerings if the booking is made within the
 * booking dates and starts within the start dates. Each confirmed booking and each live hold counts as one use. A
 * confirmed booking still counts after its cancellation, unless the code returns its uses on cancellation.
 *
 * The refusal is the same for every reason, so that guests cannot find codes by guessing.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Event from "../../port/Event.ts"
import type { Discount } from "../../pricing/Pricing.ts"
import { invalid, type Refusal, refuse } from "../../Refusal.ts"
import * as Instant from "../../time/Instant.ts"
import * as LocalDate from "../../time/LocalDate.ts"
import type { Position } from "../../wire/Cursor.ts"
import { withDescription } from "../../wire/Field.ts"
import { Date, exampleIds, Id, Integer, Timestamp } from "../../wire/View.ts"
import type { OrgKey } from "../OfferingStore.ts"

export interface DiscountCode {
  readonly id: string
  readonly orgId: string
  /** The uppercase code, unique in the org. */
  readonly code: string
  /** Either `percentBps` or `cents` is set. */
  readonly percentBps: number | null
  readonly cents: number | null
  /** Null means all offerings. */
  readonly offeringIds: ReadonlyArray<string> | null
  /** The first and last local date on which a guest can book, inclusive. */
  readonly bookFrom: LocalDate.LocalDate | null
  readonly bookUntil: LocalDate.LocalDate | null
  /** The first and last local date on which the booking can start, inclusive. */
  readonly startFrom: LocalDate.LocalDate | null
  readonly startUntil: LocalDate.LocalDate | null
  readonly maxUses: number | null
  readonly active: boolean
  readonly returnsOnCancel: boolean
  readonly createdAt: Instant.Instant
}

export type DiscountPatch = Partial<Omit<DiscountCode, "id" | "orgId" | "createdAt">>

/** Applies a patch. A new amount replaces the old one, even if one is fixed and the other is a percentage. */
export const applyDiscountPatch = (
  discount: DiscountCode,
  { cents, percentBps, ...patch }: DiscountPatch
): Either.Either<DiscountCode, Refusal<"invalid_request">> => {
  const hasAmount = cents !== undefined || percentBps !== undefined
  const updatedDiscount = {
    ...discount,
    ...patch,
    ...(hasAmount ? { percentBps: percentBps ?? null, cents: cents ?? null } : {})
  }
  const { bookFrom, bookUntil, startFrom, startUntil } = updatedDiscount
  if ((updatedDiscount.cents === null) === (updatedDiscount.percentBps === null)) {
    return Either.left(invalid("cents: set either cents or percent_bps"))
  }
  if (bookFrom !== null && bookUntil !== null && bookUntil < bookFrom) {
    return Either.left(invalid("book_until: must not be before book_from"))
  }
  return startFrom !== null && startUntil !== null && startUntil < startFrom
    ? Either.left(invalid("start_until: must not be before start_from"))
    : Either.right(updatedDiscount)
}

export interface DiscountCodeUsage {
  readonly code: DiscountCode
  readonly uses: number
}

export const hasUseLeft = ({ code: { maxUses }, uses }: DiscountCodeUsage): boolean =>
  maxUses === null || uses < maxUses

/** The facts about a booking that determine whether a code applies. */
export interface DiscountableBooking {
  readonly offeringId: string
  /** The local date on which the booking is made. */
  readonly bookedOn: LocalDate.LocalDate
  /** The local date on which the booking starts. Undefined for a quote without a start. */
  readonly startsOn: LocalDate.LocalDate | undefined
}

/** Returns the discount for a booking, or a refusal if the code does not apply. */
export const applyDiscountCode = (
  codeAndUses: DiscountCodeUsage | undefined,
  { bookedOn, offeringId, startsOn }: DiscountableBooking
): Either.Either<Discount, Refusal<"discount_invalid">> => {
  if (codeAndUses === undefined) return Either.left(refuse("discount_invalid"))
  const { code: discount } = codeAndUses
  if (
    !discount.active ||
    (discount.offeringIds !== null && !discount.offeringIds.includes(offeringId)) ||
    !isWithin(bookedOn, discount.bookFrom, discount.bookUntil) ||
    (startsOn !== undefined && !isWithin(startsOn, discount.startFrom, discount.startUntil)) ||
    !hasUseLeft(codeAndUses)
  ) {
    return Either.left(refuse("discount_invalid"))
  }
  const { cents, code, id, percentBps } = discount
  return Either.right({
    id,
    code,
    ...(percentBps === null ? {} : { percent_bps: percentBps }),
    ...(cents === null ? {} : { cents })
  })
}

const isWithin = (
  date: LocalDate.LocalDate,
  from: LocalDate.LocalDate | null,
  until: LocalDate.LocalDate | null
): boolean => (from === null || date >= from) && (until === null || date <= until)

export type DiscountCodeKey = Pick<DiscountCode, "orgId" | "code">

/** A discount code's uses and revenue. */
export interface DiscountUses {
  readonly id: string
  readonly uses: number
  /** The total price of the code's confirmed bookings, in the org's currency. */
  readonly revenueCents: number
}

/** Stores discount codes. A code is unique in its org. A write that violates this rule fails as a defect. */
export class DiscountStore extends Context.Tag("@trailbook/core/DiscountStore")<
  DiscountStore,
  {
    /** Finds a discount code and locks it until the transaction ends. */
    readonly lock: (key: OrgKey) => Effect.Effect<Option.Option<DiscountCode>>
    readonly findByCode: (key: DiscountCodeKey) => Effect.Effect<Option.Option<DiscountCode>>
    /** Finds discount codes and locks them in ID order until the transaction ends. */
    readonly lockByCode: (keys: ReadonlyArray<DiscountCodeKey>) => Effect.Effect<ReadonlyArray<DiscountCode>>
    /** Lists the discount codes after a position, ordered by creation time and ID. */
    readonly list: (query: {
      readonly orgId: string
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<DiscountCode>>
    /** Returns the uses and the revenue of discount codes as of `now`, in any order. */
    readonly uses: (keys: ReadonlyArray<OrgKey>, now: Instant.Instant) => Effect.Effect<ReadonlyArray<DiscountUses>>
    readonly put: (discount: DiscountCode) => Effect.Effect<void>
    readonly remove: (key: OrgKey) => Effect.Effect<void>
  }
>() {}

const makeDateField = (description: string, example: string) =>
  withDescription(description, Schema.NullOr(Date), example)

export const DiscountView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.discount),
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
  book_from: makeDateField("the first local date on which the code can be used", "2027-03-01"),
  book_until: makeDateField("the last local date on which the code can be used", "2027-05-31"),
  start_from: makeDateField("the first local date on which a booking can start", "2027-05-01"),
  start_until: makeDateField("the last local date on which a booking can start", "2027-06-30"),
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
export const DiscountWithUsesView = Schema.Struct({
  ...DiscountView.fields,
  uses: withDescription("the number of bookings that count toward max_uses, including live holds", Integer, 12),
  revenue_cents: withDescription(
    "the total of the confirmed bookings with this code, in the org's currency",
    Integer,
    205200
  )
}).annotations({ identifier: "UsedDiscount" })
export type DiscountWithUsesView = typeof DiscountWithUsesView.Type

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

export const discountWithUsesView = (
  { discount, revenueCents, uses }: Omit<DiscountUses, "id"> & { readonly discount: DiscountCode }
): DiscountWithUsesView => ({ ...discountView(discount), uses, revenue_cents: revenueCents })

export const discountEvents = [
  Event.make("discount.created", { data: DiscountView, when: "A discount code is created." }),
  Event.make("discount.updated", { data: DiscountView, when: "A discount code is changed." }),
  Event.make("discount.deleted", {
    data: DiscountView,
    when: "A discount code is deleted. Bookings keep their prices."
  })
] as const
