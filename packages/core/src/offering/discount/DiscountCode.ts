/**
 * The rules for discount codes. A code applies to a booking for one of its offerings if the booking is made within the
 * booking dates and starts within the start dates. Each confirmed booking and each live hold counts as one use. A
 * confirmed booking still counts after its cancellation, unless the code returns its uses on cancellation.
 *
 * The refusal is the same for every reason, so that guests cannot find codes by guessing.
 */
import * as Either from "effect/Either"
import type { Discount } from "../../pricing/Pricing.ts"
import { invalid, type Refusal, refuse } from "../../Refusal.ts"
import type { Instant } from "../../time/Instant.ts"
import type { LocalDate } from "../../time/LocalDate.ts"

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
  readonly bookFrom: LocalDate | null
  readonly bookUntil: LocalDate | null
  /** The first and last local date of the start, inclusive. */
  readonly startFrom: LocalDate | null
  readonly startUntil: LocalDate | null
  readonly maxUses: number | null
  readonly active: boolean
  readonly returnsOnCancel: boolean
  readonly createdAt: Instant
}

export type DiscountPatch = Partial<Omit<DiscountCode, "id" | "orgId" | "createdAt">>

/** Applies a patch. A new amount replaces the old one, even if only one of the two is a percentage. */
export const withPatch = (
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

export interface CodeAndUses {
  readonly code: DiscountCode
  readonly uses: number
}

export const hasUseLeft = ({ code: { maxUses }, uses }: CodeAndUses): boolean => maxUses === null || uses < maxUses

/** The facts about a booking that determine whether a code applies. */
export interface DiscountedBooking {
  readonly offeringId: string
  /** The local date when the booking is made. */
  readonly bookedOn: LocalDate
  /** The local date of the start. Undefined for a quote without a start. */
  readonly startsOn: LocalDate | undefined
}

/** Returns the discount for a booking, or a refusal if the code does not apply. */
export const applyCode = (
  codeAndUses: CodeAndUses | undefined,
  { bookedOn, offeringId, startsOn }: DiscountedBooking
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

const isWithin = (date: LocalDate, from: LocalDate | null, until: LocalDate | null): boolean =>
  (from === null || date >= from) && (until === null || date <= until)
