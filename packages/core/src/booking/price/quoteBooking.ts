/**
 * Computes the price for a booking that a caller is about to make. The rules for bookings apply, but no place is
 * checked and no lock is taken.
 */
import * as Effect from "effect/Effect"
import { Discounts } from "../../offering/discount/Discounts.ts"
import type { Offering } from "../../offering/Offering.ts"
import { Offerings } from "../../offering/Offerings.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Org } from "../../org/Org.ts"
import { Orgs } from "../../org/Orgs.ts"
import { Payments, queryPaymentAccount } from "../../payment/online/Payments.ts"
import { failIfNotFound } from "../../port/failIfNotFound.ts"
import type { QuoteView } from "../../pricing/Pricing.ts"
import { makePriceTerms, quote, selectItems } from "../../pricing/quote.ts"
import { invalid, notFound, type Refusal } from "../../Refusal.ts"
import { SessionStore } from "../../session/Session.ts"
import { currentTime } from "../../time/currentTime.ts"
import type { Instant } from "../../time/Instant.ts"
import * as Zone from "../../time/Zone.ts"
import { BookingStore } from "../BookingStore.ts"
import { checkExpectedPrice, checkOfferingLimits, type CreateBookingRequest } from "../createBooking.ts"
import { computeChangedPrice, findNewDiscountCode } from "./computeChangedPrice.ts"

export interface QuoteRequest
  extends
    Pick<CreateBookingRequest, "orgId" | "source" | "expectedTotalCents" | "sessionId" | "startsAt" | "periods">,
    Pick<CreateBookingRequest, "quantity" | "party" | "extras" | "adjustments">
{
  /** Null removes the discount from a booking. */
  readonly discountCode?: string | null | undefined
  readonly offeringId?: string | undefined
  /** The booking that the quoted change is for. The quote uses this booking's offering and place. */
  readonly bookingId?: string | undefined
}

type QuoteRefusal = Refusal<"not_found" | "invalid_request" | "party_invalid" | "discount_invalid" | "price_changed">

/**
 * Creates a function that returns whether an org takes online payments. If the provider does not respond, payment is
 * assumed to be due, because the booking itself would fail in that case.
 */
export const makeAcceptsOnlinePayments = Effect.map(
  Payments,
  (payments) => ({ id, plan }: Pick<Org, "id" | "plan">) =>
    plan === "pro"
      ? Effect.map(queryPaymentAccount(payments, id), (account) => account !== null)
      : Effect.succeed(false)
)

export const makeQuoteBooking = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const discounts = yield* Discounts
  const offerings = yield* Offerings
  const orgs = yield* Orgs
  const sessions = yield* SessionStore
  const takesPayments = yield* makeAcceptsOnlinePayments

  const findStart = ({ orgId, sessionId, startsAt }: QuoteRequest) =>
    sessionId === undefined
      ? Effect.succeed(startsAt)
      : Effect.flatMap(
        sessions.find([{ orgId, id: sessionId }]),
        ([session]) => session === undefined ? notFound("session", sessionId) : Effect.succeed(session.startsAt)
      )

  const findDiscount = (orgId: string, code: string, { id: offeringId }: Offering, startsAt: Instant | undefined) =>
    Effect.gen(function*() {
      const { timezone } = yield* orgs.get(orgId)
      const zone = Zone.get(timezone)
      return yield* discounts.find(orgId, code, {
        offeringId,
        bookedOn: zone.dateAt(yield* currentTime),
        startsOn: startsAt === undefined ? undefined : zone.dateAt(startsAt)
      })
    })

  const quoteChange = (id: string, request: QuoteRequest): Effect.Effect<QuoteView, QuoteRefusal> =>
    Effect.gen(function*() {
      const { discountCode, orgId, periods, sessionId, startsAt } = request
      if ([periods, sessionId, startsAt].some((field) => field !== undefined)) {
        return yield* invalid("booking_id: cannot be combined with session_id, starts_at, or periods")
      }
      const { booking } = yield* Effect.flatMap(bookings.find([{ orgId, id }]), failIfNotFound("booking", id))
      const offering = yield* offerings.get({ orgId, id: booking.offeringId })
      const code = findNewDiscountCode(booking, discountCode)
      const newDiscount = code === undefined ? undefined : yield* findDiscount(orgId, code, offering, booking.startsAt)
      const discount = discountCode === null ? null : newDiscount
      const { quoted } = yield* computeChangedPrice(booking, { ...request, discount }, offering)
      yield* checkExpectedPrice(request, quoted.total_cents, booking)
      return { currency: booking.currency, ...quoted }
    })

  return (request: QuoteRequest): Effect.Effect<QuoteView, QuoteRefusal> =>
    Effect.gen(function*() {
      const { adjustments = [], bookingId, discountCode: code = null, offeringId = "", orgId } = request
      if (bookingId !== undefined) return yield* quoteChange(bookingId, request)
      const key: OrgKey = { orgId, id: offeringId }
      const offering = yield* offerings.get(key)
      const org = yield* orgs.get(orgId)
      const baseTerms = makePriceTerms(offering, org.fees)
      const selection = yield* selectItems(baseTerms, request)
      yield* checkOfferingLimits({ ...request, quantity: selection.places }, offering)
      const startsAt = yield* findStart(request)
      const now = yield* currentTime
      const discount = code === null ? null : yield* findDiscount(orgId, code, offering, startsAt)
      const terms = { ...baseTerms, discount }
      const hoursAhead = startsAt === undefined ? Infinity : (startsAt - now) / 3_600_000
      const isOnline = request.source !== "dashboard" && (yield* takesPayments(org))
      const facts = { periods: request.periods ?? 1, adjustments, onlineHoursAhead: isOnline ? hoursAhead : null }
      const price = yield* quote(terms, selection, facts)
      yield* checkExpectedPrice(request, price.total_cents, org)
      return { currency: org.currency, ...price }
    })
})
