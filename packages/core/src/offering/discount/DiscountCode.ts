/**
 * The rule of discount codes. A code discounts a booking that is made and starts within its dates, of one of its
 * offerings. A use is a claim like a seat: it counts while its booking is confirmed or a live hold. A confirmed booking
 * that is canceled still counts, unless the code returns its uses on cancellation.
 *
 * A code that cannot be used is refused with one answer for all reasons, so that a guest who guesses codes learns
 * nothing about them.
 */
import * as Either from "effect/Either"
import type { Discount } from "../../pricing/Pricing.ts"
import { invalid, type Refusal, refuse } from "../../Refusal.ts"
import type { Instant } from "../../time/Instant.ts"
import type { LocalDate } from "../../time/LocalDate.ts"

export interface DiscountCode {
  readonly id: string
  readonly orgId: string
  /** Uppercase, and unique in the org. */
  readonly code: string
  /** Exactly one of both is set. */
  readonly percentBps: number | null
  readonly cents: number | null
  /** Null: all offerings. */
  readonly offeringIds: ReadonlyArray<string> | null
  /** The local dates, inclusive, on which a booking can be made. */
  readonly bookFrom: LocalDate | null
  readonly bookUntil: LocalDate | null
  /** The local dates, inclusive, on which a booking can start. */
  readonly startFrom: LocalDate | null
  readonly startUntil: LocalDate | null
  readonly maxUses: number | null
  readonly active: boolean
  readonly returnsOnCancel: boolean
  readonly createdAt: Instant
}

export type DiscountPatch = Partial<Omit<DiscountCode, "id" | "orgId" | "createdAt">>

/** Applies a change. A new amount replaces the earlier one, also of the other kind. */
export const withPatch = (
  discount: DiscountCode,
  { cents, percentBps, ...patch }: DiscountPatch
): Either.Either<DiscountCode, Refusal<"invalid_request">> => {
  const hasAmount = cents !== undefined || percentBps !== undefined
  const changed = {
    ...discount,
    ...patch,
    ...(hasAmount ? { percentBps: percentBps ?? null, cents: cents ?? null } : {})
  }
  const { bookFrom, bookUntil, startFrom, startUntil } = changed
  if ((changed.cents === null) === (changed.percentBps === null)) {
    return Either.left(invalid("cents: give either cents or percent_bps"))
  }
  if (bookFrom !== null && bookUntil !== null && bookUntil < bookFrom) {
    return Either.left(invalid("book_until: must not be before book_from"))
  }
  return startFrom !== null && startUntil !== null && startUntil < startFrom
    ? Either.left(invalid("start_until: must not be before start_from"))
    : Either.right(changed)
}

/** A discount code with its current uses. */
export interface CodeAndUses {
  readonly code: DiscountCode
  readonly uses: number
}

export const hasUseLeft = ({ code: { maxUses }, uses }: CodeAndUses): boolean => maxUses === null || uses < maxUses

/** A booking that uses a discount code. */
export interface DiscountedBooking {
  readonly offeringId: string
  /** The local date of the booking. */
  readonly bookedOn: LocalDate
  /** The local date of the start; undefined in a quote without a start. */
  readonly startsOn: LocalDate | undefined
}

/** Returns the discount of a booking, if it can use the code. */
export const applyCode = (
  found: CodeAndUses | undefined,
  { bookedOn, offeringId, startsOn }: DiscountedBooking
): Either.Either<Discount, Refusal<"discount_invalid">> => {
  if (found === undefined) return Either.left(refuse("discount_invalid"))
  const { code: discount } = found
  if (
    !discount.active ||
    (discount.offeringIds !== null && !discount.offeringIds.includes(offeringId)) ||
    !isWithin(bookedOn, discount.bookFrom, discount.bookUntil) ||
    (startsOn !== undefined && !isWithin(startsOn, discount.startFrom, discount.startUntil)) ||
    !hasUseLeft(found)
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

const isWithin = (date: LocalDate, from: LocalDate | null, until: LocalDate | null): boolean =>
  (from === null || date >= from) && (until === null || date <= until)
