/** Computes the price of a booking that a caller is about to make, with the same rules and without a place or locks. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Offerings } from "../offering/Offerings.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { Orgs } from "../org/Orgs.ts"
import { Payments } from "../payment/online/Payments.ts"
import type { QuoteView } from "../pricing/Pricing.ts"
import { makeTerms, quote, select } from "../pricing/quote.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import { SessionStore } from "../session/SessionStore.ts"
import { currentTime } from "../time/currentTime.ts"
import { checkRequest, type CreateBooking, priceChanged } from "./createBooking.ts"

export type QuoteRequest =
  & Pick<CreateBooking, "orgId" | "source" | "offeringId" | "expectedTotalCents">
  & Pick<CreateBooking, "sessionId" | "startsAt" | "periods" | "quantity" | "party" | "extras">

export const makeQuoteBooking = Effect.gen(function*() {
  const offerings = yield* Offerings
  const orgs = yield* Orgs
  const sessions = yield* SessionStore
  const { connected } = yield* Payments

  /** If the provider does not respond, the payment is assumed to be due, because the booking would fail too. */
  const paysOnline = (orgId: string) =>
    Effect.map(
      Effect.timeoutOption(Effect.disconnect(connected(orgId)), "5 seconds"),
      (account) => Option.getOrUndefined(account) !== null
    )

  const startOf = ({ orgId, sessionId, startsAt }: QuoteRequest) =>
    sessionId === undefined
      ? Effect.succeed(startsAt)
      : Effect.flatMap(
        sessions.find([{ orgId, id: sessionId }]),
        ([session]) => session === undefined ? notFound("session", sessionId) : Effect.succeed(session.startsAt)
      )

  return (
    request: QuoteRequest
  ): Effect.Effect<QuoteView, Refusal<"not_found" | "invalid_request" | "party_invalid" | "price_changed">> =>
    Effect.gen(function*() {
      const { orgId } = request
      const key: OrgKey = { orgId, id: request.offeringId }
      const offering = yield* offerings.get(key)
      const org = yield* orgs.get(orgId)
      const terms = makeTerms(offering, org.fees)
      const selection = yield* select(terms, request)
      yield* checkRequest({ ...request, quantity: selection.places }, offering)
      const startsAt = yield* startOf(request)
      const now = yield* currentTime
      const hoursAhead = startsAt === undefined ? Infinity : (startsAt - now) / 3_600_000
      const isOnline = request.source !== "dashboard" && org.plan === "pro" && (yield* paysOnline(orgId))
      const facts = { periods: request.periods ?? 1, adjustments: [], onlineHoursAhead: isOnline ? hoursAhead : null }
      const price = yield* quote(terms, selection, facts)
      yield* priceChanged(request, price.total_cents, org)
      return { currency: org.currency, ...price }
    })
})
