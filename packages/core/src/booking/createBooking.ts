/**
 * Decides the `Create` command. The decision is pure: it takes the request and the facts, and returns a booking or a
 * refusal.
 *
 * The checks run in this order:
 *
 * 1. The offering exists, and the request fits its kind.
 * 2. The place is offered.
 * 3. The place has capacity.
 * 4. The limits on unproven bookings allow the booking.
 * 5. The customer is valid.
 * 6. The discount code is valid, and the price is the expected price.
 * 7. The payment account is known if payment may be due.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import type { Source } from "../actor/Actor.ts"
import type * as Customer from "../customer/Customer.ts"
import { formatAmount } from "../money/Currency.ts"
import { applyDiscountCode, type DiscountCodeUsage } from "../offering/discount/DiscountCode.ts"
import type { Offering } from "../offering/Offering.ts"
import type { Org } from "../org/Org.ts"
import type { PaymentAccount } from "../payment/Payment.ts"
import type { Adjustment, Extras, Party } from "../pricing/Pricing.ts"
import { isPriced, makePriceTerms, quote, selectItems, toBookingPrice } from "../pricing/quote.ts"
import { invalid, notFound, type Refusal, refuse } from "../Refusal.ts"
import type { Session } from "../session/Session.ts"
import * as Instant from "../time/Instant.ts"
import type { Zone } from "../time/Zone.ts"
import type { Language } from "../wire/Language.ts"
import type { Booking, ConfirmedBooking, HeldBooking } from "./Booking.ts"
import {
  checkCapacity,
  type PlaceFacts,
  type PlaceRefusal,
  type PlaceUsage,
  type RequestedPlace,
  resolvePlace
} from "./checkPlace.ts"
import { checkUnprovenBookingLimits, type CountedUnprovenBookings } from "./unprovenBookingLimits.ts"

/** A visitor who books on the public page. */
export interface BookingVisitor {
  /** A keyed digest of the network that the request came from. Null if the server does not know the address. */
  readonly network: string | null
  readonly language: Language
}

/** A request to create a booking. */
export interface CreateBookingRequest {
  readonly orgId: string
  readonly source: Source
  readonly offeringId: string
  readonly sessionId?: string | undefined
  readonly startsAt?: Instant.Instant | undefined
  /** The number of spots. Can be omitted if `party` is set. */
  readonly quantity?: number | undefined
  readonly party?: Party | undefined
  readonly extras?: Extras | undefined
  /** Amounts added after the fees. Visitors cannot set adjustments. */
  readonly adjustments?: ReadonlyArray<Adjustment> | undefined
  readonly discountCode?: string | undefined
  /** The price that the caller showed to the guest. If the actual price is different, the booking is refused. */
  readonly expectedTotalCents?: number | undefined
  readonly periods?: number | undefined
  readonly customerId?: string | undefined
  readonly contact?: Customer.ContactDetails | undefined
  /**
   * Whether the guest has already arrived. For a walk-in, the notice and the booking horizon do not apply, and the
   * start can be up to `maxWalkInDelayMinutes` ago. The booking is confirmed without online payment.
   */
  readonly isWalkIn?: boolean | undefined
  /**
   * Set for visitors to the public page. A visitor's contact details only fill in an existing customer's empty fields.
   * A visitor's unpaid bookings are limited until the guest opens an emailed link.
   */
  readonly visitor?: BookingVisitor | undefined
  readonly notes: string
  readonly metadata?: Booking["metadata"] | undefined
  readonly holdMinutes?: number | undefined
  /** The org's payment account. Null if the org has none, and undefined if it was not queried. */
  readonly connected?: PaymentAccount | null | undefined
  /** The caller's key, or a key that was generated for this request. The key prevents a retry from booking twice. */
  readonly idempotency: NonNullable<Booking["idempotency"]>
  /** Whether the key was generated for this request. If so, no booking can have the key before the first attempt. */
  readonly isGeneratedKey?: boolean | undefined
}

/** The IDs for a new booking. They are generated before the decision, so that the decision stays pure. */
export interface NewBookingIds {
  readonly bookingId: string
  readonly customerId: string
  readonly reference: string
  readonly handle: string
  readonly checkInToken: string
}

export interface CreateBookingFacts {
  readonly now: Instant.Instant
  readonly org: Org
  readonly zone: Zone
  readonly closures: PlaceFacts["closures"]
  readonly offering: Offering | undefined
  readonly session: Session | undefined
  /** The requested place's usage. Undefined if the request names no place in the offering. */
  readonly use: PlaceUsage | undefined
  /** The discount code in the request, locked, with its current uses. */
  readonly discount?: DiscountCodeUsage | undefined
  /** The customer for the booking, or the refusal if the request's customer is invalid. */
  readonly customer: Either.Either<Pick<Customer.Customer, "id">, CreateBookingRefusal>
  /**
   * The unproven bookings that count against the request. Set only for a visitor who has not proven their email
   * address.
   */
  readonly unproven?: CountedUnprovenBookings | undefined
}

/**
 * Signals that payment may be due, so the caller must first query the org's payment account. The query runs third-party
 * code, so it must not run while locks are held.
 */
export class PaymentStatusRequired extends Data.TaggedError("PaymentStatusRequired")<{}> {}

export type CreateBookingRefusal =
  | PlaceRefusal
  | Refusal<
    "idempotency_conflict" | "customer_erased" | "rate_limited" | "party_invalid" | "discount_invalid" | "price_changed"
  >

/** A walk-in can join a trip that started at most this many minutes ago. */
export const maxWalkInDelayMinutes = 60

/** The minimum duration of a hold that waits for online payment or for the guest to open an emailed link. */
const minWaitingHoldMinutes = 30

export const createBooking = (
  order: CreateBookingRequest,
  ids: NewBookingIds,
  facts: CreateBookingFacts
): Either.Either<HeldBooking | ConfirmedBooking, CreateBookingRefusal | PaymentStatusRequired> =>
  Either.gen(function*() {
    const { closures, now, offering, zone } = facts
    if (offering === undefined || offering.deletedAt !== null) {
      return yield* Either.left(notFound("offering", order.offeringId))
    }
    const isWalkIn = order.isWalkIn === true
    const { adjustments = [] } = order
    const baseTerms = makePriceTerms(offering, facts.org.fees)
    const selection = yield* selectItems(baseTerms, order, isWalkIn)
    const quantity = selection.places
    const requestedPlace = yield* toRequestedPlace(order, quantity, offering, facts.session)
    const place = yield* resolvePlace(
      { closures, now, offering: isWalkIn ? toWalkInOffering(offering) : offering, zone },
      requestedPlace
    )
    if (facts.use === undefined) throw new Error("Invariant violated: occupancy not loaded")
    yield* checkCapacity(offering, place, quantity, facts.use)
    if (facts.unproven !== undefined) {
      yield* checkUnprovenBookingLimits({ now, offering, session: facts.session, place, quantity }, facts.unproven)
    }
    const { id: customerId } = yield* facts.customer
    const discount = order.discountCode === undefined ? null : yield* applyDiscountCode(facts.discount, {
      offeringId: offering.id,
      bookedOn: zone.dateAt(now),
      startsOn: zone.dateAt(place.startsAt)
    })
    const terms = { ...baseTerms, discount }

    const length = "length" in requestedPlace
      ? requestedPlace.length
      : { periodMinutes: offering.durationMinutes, periods: 1 }
    const price = yield* quote(terms, selection, {
      periods: length.periods,
      adjustments,
      onlineHoursAhead: (place.startsAt - now) / 3_600_000
    })
    const { due_now_cents: dueNowCents, lines, total_cents: totalCents } = price
    yield* checkExpectedPrice(order, totalCents, facts.org)
    const canPaymentBeDue = !isWalkIn && order.source !== "dashboard" && facts.org.plan === "pro" && dueNowCents > 0
    if (canPaymentBeDue && order.connected === undefined) return yield* Either.left(new PaymentStatusRequired())
    const paymentDue = canPaymentBeDue && order.connected !== null
    const { contact, visitor } = order
    const policy = offering.cancellationPolicy ?? facts.org.cancellationPolicy
    // An assistant books without a page, so only the payment or the emailed link proves that the guest agreed.
    const requiresConfirmation = facts.org.confirmEmail || order.source === "mcp"
    const confirmIn = visitor !== undefined && requiresConfirmation && !paymentDue ? visitor.language : null
    const isWaiting = paymentDue || confirmIn !== null
    const holdMinutes = Math.max(order.holdMinutes ?? 0, isWaiting ? minWaitingHoldMinutes : 0)
    const { endsAt, sessionId, startsAt } = place
    const { periodMinutes, periods } = length
    // Do not start this literal with a spread, because each field after a spread takes longer to set.
    const confirmedBooking: ConfirmedBooking = {
      sessionId,
      startsAt,
      endsAt,
      periodMinutes,
      periods,
      id: ids.bookingId,
      reference: ids.reference,
      handle: ids.handle,
      checkInToken: ids.checkInToken,
      status: "confirmed",
      orgId: order.orgId,
      offeringId: offering.id,
      customerId,
      quantity,
      totalCents,
      currency: facts.org.currency,
      onlineCents: null,
      deskCents: 0,
      keepCents: null,
      price: isPriced(terms) || adjustments.length > 0 ? toBookingPrice(terms, selection, lines) : null,
      staffNotes: "",
      cancellationPolicy: policy === null ? null : { ...policy, min_keep_cents: 0 },
      source: order.source,
      notes: order.notes,
      contact: contact === undefined
        ? null
        : { email: contact.email, name: contact.name ?? "", phone: contact.phone ?? "" },
      metadata: order.metadata ?? {},
      unproven: visitor === undefined || (facts.unproven === undefined && confirmIn === null)
        ? null
        : { network: visitor.network, confirmIn },
      createdAt: now,
      confirmedAt: now,
      updatedAt: now,
      paidAt: null,
      paymentIntentId: null,
      refund: null,
      dispute: null,
      attendance: null,
      tapsFrom: now,
      previous: null,
      resentAt: null,
      idempotency: order.idempotency
    }
    return holdMinutes === 0 ? confirmedBooking : {
      ...confirmedBooking,
      status: "held",
      confirmedAt: null,
      expiresAt: Instant.addMinutes(now, holdMinutes),
      paymentDue,
      checkoutUrl: null
    } satisfies HeldBooking
  })

/**
 * Returns the offering without its notice and booking horizon. Starts within the last `maxWalkInDelayMinutes` are
 * included.
 */
const toWalkInOffering = (offering: Offering): Offering => ({
  ...offering,
  minNoticeMinutes: -maxWalkInDelayMinutes,
  maxAdvanceDays: 365 * 100
})

/** Returns a refusal if the price differs from the one that the caller showed. */
export const checkExpectedPrice = (
  { expectedTotalCents }: Pick<CreateBookingRequest, "expectedTotalCents">,
  totalCents: number,
  { currency }: Pick<Org, "currency">
): Either.Either<void, Refusal<"price_changed">> =>
  expectedTotalCents === undefined || expectedTotalCents === totalCents
    ? Either.void
    : Either.left(refuse("price_changed", formatAmount(totalCents, currency)))

/**
 * Returns the requested place if the request fits the offering's kind and limits. The kind decides whether `session_id`
 * or `starts_at` is required, so the error messages name the kind.
 */
const toRequestedPlace = (
  { periods, sessionId, startsAt }: CreateBookingRequest,
  quantity: number,
  offering: Offering,
  session: Session | undefined
): Either.Either<RequestedPlace, CreateBookingRefusal> => {
  const check = checkOfferingLimits({ periods, quantity }, offering)
  if (Either.isLeft(check)) return Either.left(check.left)
  if (offering.kind === "class") {
    if (startsAt !== undefined) {
      return Either.left(invalid("starts_at: applies only to appointments and rentals. Use session_id for a class."))
    }
    if (sessionId === undefined) return Either.left(invalid("session_id: is required for a class"))
    return session === undefined || session.offeringId !== offering.id
      ? Either.left(notFound("session", sessionId))
      : Either.right({ session })
  }
  if (sessionId !== undefined) return Either.left(invalid("session_id: applies only to classes"))
  if (startsAt === undefined) {
    return Either.left(invalid(`starts_at: is required for ${kindWithArticle[offering.kind]}`))
  }
  return Either.right({ startsAt, length: { periodMinutes: offering.durationMinutes, periods: periods ?? 1 } })
}

/** Checks a request against the offering's limits. */
export const checkOfferingLimits = (
  { periods, quantity }: { readonly quantity: number; readonly periods?: number | undefined },
  { kind, maxPerBooking, maxPeriods }: Offering
): Either.Either<void, Refusal<"invalid_request">> => {
  if (quantity > maxPerBooking) {
    return Either.left(invalid(`quantity: must be at most ${maxPerBooking}, the maximum per booking`))
  }
  if (periods !== undefined && kind !== "rental") return Either.left(invalid("periods: applies only to rentals"))
  return periods !== undefined && periods > maxPeriods
    ? Either.left(invalid(`periods: must be at most ${maxPeriods} for this rental`))
    : Either.void
}

const kindWithArticle = { appointment: "an appointment", rental: "a rental" }
