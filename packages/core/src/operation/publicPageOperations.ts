/**
 * The operations of the public booking page, for unauthenticated visitors. A visitor can view offerings, book, and ask
 * a question. Paused offerings, deleted offerings, and other orgs' offerings are reported as not found.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { toSource } from "../actor/Actor.ts"
import { makeLoadOpenMonth } from "../availability/loadOpenMonth.ts"
import { NextAvailability } from "../availability/NextAvailability.ts"
import {
  bookingRequestFields,
  bookingsCreate,
  bookingsQuote,
  getRequestedQuantity
} from "../booking/bookingOperations.ts"
import { Bookings } from "../booking/Bookings.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { placeRefusals } from "../booking/checkPlace.ts"
import { makeAcceptsOnlinePayments, makeQuoteBooking } from "../booking/price/quoteBooking.ts"
import { GuestConversations } from "../conversation/GuestConversations.ts"
import { CustomerStore, CustomerView } from "../customer/Customer.ts"
import { Customers } from "../customer/Customers.ts"
import { makeProofTaskSubject, makeProveEmail, parseProofSecret } from "../customer/EmailProof.ts"
import { ClosureStore, getFirstRelevantClosureDate } from "../offering/closure/Closure.ts"
import { DiscountStore } from "../offering/discount/DiscountCode.ts"
import { Discounts } from "../offering/discount/Discounts.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { Orgs } from "../org/Orgs.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, refuse, refuseWithRetryAfter } from "../Refusal.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Field from "../wire/Field.ts"
import { languages } from "../wire/Language.ts"
import { toPatch } from "../wire/snakeCase.ts"
import { Ok, ok } from "../wire/View.ts"
import * as PageOperation from "./PageOperation.ts"
import {
  PublicBookingView,
  publicBookingView,
  PublicListingView,
  publicListingView,
  PublicMonthView,
  publicMonthView,
  PublicOrgView,
  publicOrgView,
  PublicQuoteView,
  publicQuoteView
} from "./PublicPageView.ts"
import type { OperationHandlers } from "./Registry.ts"
import { computeFingerprint, toIdempotentRequest } from "./toIdempotentRequest.ts"

/** The maximum number of offerings on a page. */
const maxOfferings = 100

const makeOperation = PageOperation.makePageOperations("visit")

export const publicPageGet = makeOperation("visit.page", {
  input: Schema.Struct({
    offerings: Field.describedOptional("whether to include offerings. Default: true", Field.boolean, true)
  }),
  output: Schema.Struct({
    org: PublicOrgView,
    offerings: Field.withDescription(
      "the bookable offerings, oldest first, or empty if not requested",
      Schema.Array(PublicListingView)
    )
  }),
  refusals: ["not_found"]
})

export const publicAvailability = makeOperation("visit.availability", {
  input: Schema.Struct({
    id: Field.withDescription("the offering", Field.uuid),
    month: Field.describedOptional(
      "any date in the month. Default: the month of the first available start",
      Field.localDate
    ),
    date: Field.describedOptional("the day. Default: the first available day in the month", Field.localDate),
    quantity: Field.describedOptional("the number of seats, people, or items", Field.integer(1, 10_000), 1),
    party: bookingRequestFields.party,
    extras: bookingRequestFields.extras,
    periods: Field.describedOptional("the number of consecutive rental periods", Field.integer(1, 60)),
    discount_code: bookingRequestFields.discount_code
  }),
  output: PublicMonthView,
  refusals: ["not_found", "discount_invalid"]
})

export const publicQuote = makeOperation("visit.quote", {
  input: Schema.Struct(bookingRequestFields),
  output: PublicQuoteView,
  refusals: bookingsQuote.refusals
})

export const publicBook = makeOperation("visit.book", {
  input: Schema.Struct({
    ...bookingRequestFields,
    name: Field.sameAs(CustomerView.fields.name, Field.visitorName(120)),
    email: Field.sameAs(CustomerView.fields.email, Field.email),
    phone: Field.optional(Field.sameAs(CustomerView.fields.phone, Field.text({ max: 40 })), ""),
    notes: bookingsCreate.input.fields.notes,
    language: Field.describedOptional(
      "the page language, also used for the address confirmation email",
      Field.oneOf(...languages),
      "en"
    ),
    idempotency_key: Field.withDescription(
      "a UUID per form, so that a resubmitted form returns the same booking",
      Field.uuid
    )
  }),
  output: PublicBookingView,
  refusals: [
    ...placeRefusals,
    "idempotency_conflict",
    "customer_erased",
    "email_unproven",
    "party_invalid",
    "discount_invalid",
    "price_changed"
  ]
})

export const publicRequestProof = makeOperation("visit.request_proof", {
  input: publicBook.input.pick("email", "language"),
  output: Ok,
  refusals: ["customer_erased"]
})

export const publicProve = makeOperation("visit.prove", {
  input: Schema.Struct({
    link: Field.withDescription("the secret in the emailed link", Field.text({ min: 1, max: 100 }))
  }),
  output: Ok,
  refusals: ["not_found"]
})

export const publicAsk = makeOperation("visit.ask", {
  input: Schema.Struct({
    name: Field.withDescription("the sender's name", Field.visitorName(120)),
    email: Field.withDescription("the email address to reply to", Field.email),
    body: Field.withDescription("the question", Field.text({ min: 1, max: 5000 })),
    idempotency_key: Field.withDescription(
      "a UUID per form, so that a resubmitted form sends the question only once",
      Field.uuid
    )
  }),
  output: Ok,
  refusals: ["not_found", "idempotency_conflict"]
})

export const publicPageOperations = [
  publicPageGet,
  publicAvailability,
  publicQuote,
  publicBook,
  publicAsk,
  publicRequestProof,
  publicProve
] as const

export const publicPageHandlers = Effect.gen(function*() {
  const bookings = yield* Bookings
  const customers = yield* Customers
  const conversations = yield* GuestConversations
  const ids = yield* Ids
  const checkHoldLimit = yield* makeCheckHoldLimit
  const closures = yield* ClosureStore
  const discountStore = yield* DiscountStore
  const discounts = yield* Discounts
  const offerings = yield* OfferingStore
  const loadOpenMonth = yield* makeLoadOpenMonth
  const orgs = yield* Orgs
  const proveEmail = yield* makeProveEmail
  const quoteBooking = yield* makeQuoteBooking
  const takesPayments = yield* makeAcceptsOnlinePayments
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork
  const nextAvailable = yield* NextAvailability
  return {
    "visit.page": ({ offerings: includesOfferings = true }, { orgId }) =>
      Effect.gen(function*() {
        const org = yield* orgs.get(orgId)
        if (!includesOfferings) return { org: publicOrgView(org), offerings: [] }
        const allOfferings = yield* offerings.list({ orgId, limit: maxOfferings })
        const closureRows = yield* closures.since([orgId], getFirstRelevantClosureDate(yield* currentTime))
        const offeringViews = yield* Effect.forEach(allOfferings.filter(({ active }) => active), (offering) =>
          Effect.map(
            nextAvailable.next({ offering: { orgId, id: offering.id } }, {
              offering,
              org,
              closures: closureRows
            }),
            (next) => publicListingView(offering, org, next)
          ))
        return { org: publicOrgView(org), offerings: offeringViews }
      }),
    "visit.availability": ({ discount_code: code, id, ...query }, { orgId }) =>
      Effect.gen(function*() {
        const openMonth = yield* loadOpenMonth({ date: undefined, ...query, offering: { orgId, id } })
        if (!openMonth.offering.active) return yield* notFound("offering", id)
        const { length } = yield* discountStore.list({ orgId, limit: 1 })
        const booking = { offeringId: id, bookedOn: openMonth.today, startsOn: openMonth.date }
        const discount = code === undefined ? null : yield* discounts.find(orgId, code, booking)
        // This query may call the provider, so it runs only for an offering with a deposit.
        const takesDeposit = (openMonth.offering.pricing?.deposit ?? null) !== null &&
          (yield* takesPayments(openMonth.org))
        return publicMonthView(openMonth, { discount, now: yield* currentTime, takesCodes: length > 0, takesDeposit })
      }),
    "visit.quote": (input, actor) =>
      Effect.gen(function*() {
        const { orgId } = actor
        const id = input.offering_id
        const [offering] = yield* offerings.find([{ orgId, id }])
        if (offering === undefined || !offering.active) return yield* notFound("offering", id)
        const quantity = getRequestedQuantity(input)
        const quote = yield* quoteBooking({ ...toPatch(input), orgId, source: toSource(actor), quantity })
        return publicQuoteView(quote, offering, yield* orgs.get(orgId))
      }),
    "visit.book": ({ idempotency_key: key, language = "en", ...input }, actor) =>
      Effect.gen(function*() {
        const { email, name, notes = "", phone = "", ...order } = input
        const quantity = getRequestedQuantity(input)
        const { orgId } = actor
        const network = actor._tag === "Visitor" ? actor.network ?? null : null
        yield* checkHoldLimit({ orgId, email, key })
        const createdBooking = yield* Effect.catchIf(
          bookings.create({
            ...toPatch(order),
            orgId,
            source: toSource(actor),
            offeringId: input.offering_id,
            quantity,
            contact: { email, name, phone },
            visitor: { network, language },
            notes,
            idempotency: { key, fingerprint: computeFingerprint(ids, { ...input, notes, phone, quantity }) }
          }),
          ({ code }) => code === "rate_limited",
          ({ retryAfterSeconds = 60 }) => refuseWithRetryAfter(retryAfterSeconds, "email_unproven")
        )
        return publicBookingView(createdBooking)
      }),
    "visit.ask": ({ idempotency_key: key, ...question }, actor) => {
      const { body, email, name } = question
      const request = toIdempotentRequest(ids, actor, publicAsk.name, key, question)
      return Effect.as(conversations.ask({ orgId: actor.orgId, from: { email, name }, body }, request), ok)
    },
    "visit.request_proof": ({ email, language = "en" }, { orgId }) =>
      Effect.gen(function*() {
        const { id } = yield* customers.upsert(orgId, email, {})
        const subjectId = makeProofTaskSubject(id, language)
        yield* run(Effect.flatMap(currentTime, (dueAt) =>
          tasks.add([Task.make({ id: ids.uuid(), orgId, kind: "mail.proof", subjectId, dueAt })])))
        return ok
      }),
    "visit.prove": ({ link }, { orgId }) =>
      Effect.gen(function*() {
        const org = yield* orgs.get(orgId)
        const id = parseProofSecret(ids, org, link, yield* currentTime)
        if (id === undefined) return yield* refuse("unauthorized", "This link is not valid or has expired.")
        yield* proveEmail({ orgId, id })
        return ok
      })
  } satisfies OperationHandlers<typeof publicPageOperations>
})

/**
 * The maximum number of live holds per email address. An unpaid hold occupies capacity for 30 minutes. A low limit
 * keeps a visitor from blocking an entire departure.
 */
const maxHolds = 3

/** The maximum number of a guest's holds that are checked. */
const maxHoldsChecked = 100

/**
 * Refuses a request if the guest already has `maxHolds` live holds, unless the request repeats an idempotency key. Orgs
 * without the pro plan are exempt, because they cannot take online payments.
 */
const makeCheckHoldLimit = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const customers = yield* CustomerStore
  const orgs = yield* Orgs
  const { run } = yield* UnitOfWork
  return ({ email, key, orgId }: { readonly orgId: string; readonly email: string; readonly key: string }) =>
    Effect.gen(function*() {
      if ((yield* orgs.get(orgId)).plan !== "pro") return
      const [customer] = yield* run(customers.lockByEmail([{ orgId, email }]))
      if (customer === undefined) return
      const holds = yield* bookings.list({
        orgId,
        customerId: customer.id,
        status: "held",
        order: "desc",
        limit: maxHoldsChecked
      })
      const now = yield* currentTime
      const liveHolds = holds.flatMap(({ booking }) =>
        booking.status === "held" && booking.expiresAt > now ? [booking] : []
      )
      const [firstExpiry] = liveHolds.map(({ expiresAt }) => expiresAt).sort((a, b) => a - b)
      if (
        liveHolds.length < maxHolds || firstExpiry === undefined ||
        liveHolds.some(({ idempotency }) => idempotency.key === key)
      ) {
        return
      }
      const waitSeconds = Math.ceil((firstExpiry - now) / 1000)
      yield* refuseWithRetryAfter(waitSeconds, "rate_limited", waitSeconds)
    })
})
