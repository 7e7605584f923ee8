/**
 * What anybody may do on an outfitter's booking page: look, book and ask. What is paused, deleted or another outfitter's
 * is not there.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { OpenDays } from "../availability/OpenDays.ts"
import { Vacancy } from "../availability/Vacancy.ts"
import { Bookings } from "../booking/Bookings.ts"
import { placeRefusals } from "../booking/target.ts"
import { GuestMessages } from "../conversation/GuestMessages.ts"
import { CustomerView } from "../customer/CustomerView.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { Orgs } from "../org/Orgs.ts"
import { Ids } from "../port/Ids.ts"
import { notFound } from "../Refusal.ts"
import * as Field from "../wire/Field.ts"
import { languages } from "../wire/Language.ts"
import { Ok, ok } from "../wire/View.ts"
import { bookingsCreate } from "./bookingOperations.ts"
import { fingerprint } from "./fingerprint.ts"
import { keyedRequest } from "./keyedRequest.ts"
import { liveHolds } from "./liveHolds.ts"
import * as PageOperation from "./PageOperation.ts"
import type { Handlers } from "./Registry.ts"
import {
  VisitBookedView,
  visitBookedView,
  VisitListedView,
  visitListedView,
  VisitMonthView,
  visitMonthView,
  VisitOrgView,
  visitOrgView
} from "./VisitView.ts"

/** The most offerings that a page shows. */
const maxOfferings = 100

const make = PageOperation.of("visit")

export const visitPage = make("visit.page", {
  input: Schema.Struct({
    offerings: Field.optional(Field.means("whether they are wanted; true when it is left out", Field.boolean), true)
  }),
  output: Schema.Struct({
    org: VisitOrgView,
    offerings: Field.means(
      "those that can be booked, oldest first; none where they are not wanted",
      Schema.Array(VisitListedView)
    )
  }),
  refusals: ["not_found"]
})

export const visitAvailability = make("visit.availability", {
  input: Schema.Struct({
    id: Field.means("the offering", Field.uuid),
    month: Field.optional(
      Field.means("any date of the month; left out, that of the first start with room", Field.localDate)
    ),
    date: Field.optional(Field.means("the day; left out, the first of the month with room", Field.localDate)),
    quantity: Field.optional(Field.means("how many seats, people or items are wanted", Field.integer(1, 10_000)), 1),
    periods: Field.optional(Field.means("rentals: how many periods in a row", Field.integer(1, 60)))
  }),
  output: VisitMonthView,
  refusals: ["not_found"]
})

export const visitBook = make("visit.book", {
  input: Schema.Struct({
    ...bookingsCreate.input.pick("offering_id", "session_id", "starts_at", "quantity", "periods").fields,
    name: Field.like(CustomerView.fields.name, Field.visitorName(120)),
    email: Field.like(CustomerView.fields.email, Field.email),
    phone: Field.optional(Field.like(CustomerView.fields.phone, Field.text({ max: 40 })), ""),
    notes: bookingsCreate.input.fields.notes,
    language: Field.optional(
      Field.means("the language of the page, for the mail that confirms the address", Field.oneOf(...languages)),
      "en"
    ),
    idempotency_key: Field.means("one for each form; the same form again answers the same booking", Field.uuid)
  }),
  output: VisitBookedView,
  refusals: [...placeRefusals, "idempotency_conflict", "customer_erased"]
})

export const visitAsk = make("visit.ask", {
  input: Schema.Struct({
    name: Field.means("who asks", Field.visitorName(120)),
    email: Field.means("where the answer goes", Field.email),
    body: Field.means("what they ask", Field.text({ min: 1, max: 5000 })),
    idempotency_key: Field.means("one for each form; the same form again asks once", Field.uuid)
  }),
  output: Ok,
  refusals: ["not_found", "idempotency_conflict"]
})

export const visitOperations = [visitPage, visitAvailability, visitBook, visitAsk] as const

export const visitHandlers = Effect.gen(function*() {
  const bookings = yield* Bookings
  const guests = yield* GuestMessages
  const ids = yield* Ids
  const mayHold = yield* liveHolds
  const offerings = yield* OfferingStore
  const openDays = yield* OpenDays
  const orgs = yield* Orgs
  const vacancy = yield* Vacancy
  return {
    "visit.page": ({ offerings: areWanted = true }, { orgId }) =>
      Effect.gen(function*() {
        const org = yield* orgs.get(orgId)
        if (!areWanted) return { org: visitOrgView(org), offerings: [] }
        const all = yield* offerings.list({ orgId, limit: maxOfferings })
        const listed = yield* Effect.forEach(all.filter(({ active }) => active), (offering) =>
          Effect.map(
            vacancy.next({ offering: { orgId, id: offering.id } }, {
              offering,
              org
            }),
            (next) => visitListedView(offering, next)
          ))
        return { org: visitOrgView(org), offerings: listed }
      }),
    "visit.availability": ({ date, id, month, periods, quantity }, { orgId }) =>
      Effect.flatMap(
        openDays.month({ offering: { orgId, id }, month, date, periods, quantity }),
        (open) => open.offering.active ? Effect.succeed(visitMonthView(open)) : notFound("offering", id)
      ),
    "visit.book": ({ idempotency_key: key, language = "en", ...given }, actor) =>
      Effect.gen(function*() {
        const { email, name, notes = "", periods, phone = "", quantity = 1 } = given
        const { orgId } = actor
        const network = actor._tag === "Visitor" ? actor.network ?? null : null
        yield* mayHold({ orgId, email, key })
        const made = yield* bookings.create({
          orgId,
          source: "widget",
          offeringId: given.offering_id,
          sessionId: given.session_id,
          startsAt: given.starts_at,
          quantity,
          periods,
          customerId: undefined,
          contact: { email, name, phone },
          visitor: { network, language },
          notes,
          holdMinutes: undefined,
          idempotency: { key, fingerprint: fingerprint(ids, { ...given, notes, phone, quantity }) }
        })
        return visitBookedView(made)
      }),
    "visit.ask": ({ idempotency_key: key, ...question }, actor) => {
      const { body, email, name } = question
      const keyed = keyedRequest(ids, actor, visitAsk.name, key, question)
      return Effect.as(guests.ask({ orgId: actor.orgId, from: { email, name }, body }, keyed), ok)
    }
  } satisfies Handlers<typeof visitOperations>
})
