import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor } from "../actor/Actor.ts"
import { isAssistant, sourceFor } from "../actor/attribution.ts"
import { parseReference } from "../customer/customerSearch.ts"
import { CustomerView } from "../customer/CustomerView.ts"
import { fingerprint } from "../operation/fingerprint.ts"
import { needsGuestAccess, showsGuests } from "../operation/guestAccess.ts"
import * as Operation from "../operation/Operation.ts"
import { paginatedHandler } from "../operation/paginate.ts"
import type { Handlers } from "../operation/Registry.ts"
import { deriveKey, nextDerivedKey } from "../port/deriveIdempotencyKey.ts"
import { Ids } from "../port/Ids.ts"
import { smallRowPageSize } from "../port/readInPages.ts"
import { invalid } from "../Refusal.ts"
import { startPosition } from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { toPatch } from "../wire/snakeCase.ts"
import { Ok, ok, page } from "../wire/View.ts"
import { statuses } from "./Booking.ts"
import { Bookings } from "./Bookings.ts"
import { BookingStore } from "./BookingStore.ts"
import { type BookingRecord, BookingView, bookingView } from "./BookingView.ts"
import { placeRefusals } from "./checkPlace.ts"
import type { CreateBooking } from "./createBooking.ts"

const byId = Schema.Struct({ id: Field.withDescription("the booking", Field.uuid) })

export const bookingsList = Operation.make("bookings.list", {
  route: ["GET", "/bookings"],
  summary: "List bookings by their start.",
  description:
    "from <= starts_at < to; order=desc shows the latest start first. What q finds holds all of its words, in " +
    "any order and without regard to case, accents or how a number is written: each begins a word, or stands anywhere " +
    "in the phone, or is a whole reference. For an application without access to guest data, q finds a booking by its " +
    "whole reference only, and customer_id is refused.",
  input: Schema.Struct({
    from: Field.optional(Field.withDescription("only what starts then or later", Field.instant)),
    to: Field.optional(Field.withDescription("only what starts before then", Field.instant)),
    status: Field.optional(Field.withDescription("only those in this state", Field.oneOf(...statuses))),
    offering_id: Field.optional(Field.withDescription("only those of this offering", Field.uuid)),
    customer_id: Field.optional(Field.withDescription("only those of this guest", Field.uuid)),
    session_id: Field.optional(Field.withDescription("only those in this session of a class", Field.uuid)),
    q: Field.optional(
      Field.withDescription(
        "searches references and the words of the guest's name, email, and phone, in any order",
        Field.text({ max: 100 })
      )
    ),
    order: Field.optional(
      Field.withDescription("by start; desc is the latest first", Field.oneOf("asc", "desc")),
      "asc"
    ),
    ...Field.paging
  }),
  output: page(BookingView),
  tool: {
    title: "List bookings",
    toolset: "bookings",
    description:
      "Bookings by start; from <= starts_at < to. status=held shows holds. q finds them by reference or by " +
      "the guest's name, e-mail or phone in any writing. Use limit and next_cursor for long lists."
  }
})

export const bookingsGet = Operation.make("bookings.get", {
  route: ["GET", "/bookings/:id"],
  summary: "Get a booking with its offering and customer.",
  input: byId,
  output: BookingView,
  refusals: ["not_found"],
  light: true,
  tool: {
    title: "Get a booking",
    toolset: "bookings",
    description: "One booking with its offering and guest."
  }
})

export const bookingsCreate = Operation.make("bookings.create", {
  route: ["POST", "/bookings"],
  summary: "Book a slot from availability for a guest; with hold_minutes keep it for so long instead.",
  description: "A class is booked by session_id, an appointment or a rental by starts_at. Give exactly one of " +
    "customer_id and customer. Make a new idempotency_key for each request and reuse it when you retry: the same request " +
    "then answers the same booking and books once.",
  input: Schema.Struct({
    offering_id: Field.withDescription("what is booked", Field.uuid),
    session_id: Field.optional(Field.withDescription("a class is booked by it; from availability", Field.uuid)),
    starts_at: Field.optional(Field.withDescription("anything else is booked by it; from availability", Field.instant)),
    quantity: Field.optional(Field.sameAs(BookingView.fields.quantity, Field.integer(1, 10_000)), 1),
    periods: Field.optional(Field.withDescription("rentals: how many periods in a row", Field.integer(1, 60)), 1),
    customer_id: Field.optional(Field.withDescription("the guest; either this or customer", Field.uuid)),
    customer: Field.optional(
      Field.withDescription(
        "the guest, found by e-mail or added; either this or customer_id",
        Field.object({
          email: Field.sameAs(CustomerView.fields.email, Field.email),
          name: Field.optional(Field.sameAs(CustomerView.fields.name, Field.text({ max: 120 }))),
          phone: Field.optional(Field.sameAs(CustomerView.fields.phone, Field.text({ max: 40 })))
        })
      )
    ),
    notes: Field.optional(Field.sameAs(BookingView.fields.notes, Field.text({ max: 2000 }))),
    hold_minutes: Field.optional(
      Field.withDescription("hold the place for so long instead of confirming", Field.integer(5, 1440))
    ),
    idempotency_key: Field.idempotencyKey
  }),
  exactlyOne: [["customer_id", "customer"], ["session_id", "starts_at"]],
  output: BookingView,
  refusals: [...placeRefusals, "idempotency_conflict", "customer_erased"],
  status: 201,
  hints: { openWorld: true, idempotencyKey: "idempotency_key" },
  light: true,
  tool: {
    title: "Book a place",
    toolset: "bookings",
    description: "Books a start from availability_get for a guest, who is mailed: session_id for a class, else " +
      "starts_at; customer_id or customer. hold_minutes keeps the place without confirming. Make a new " +
      "idempotency_key for each request and reuse it on a retry, so nothing is booked twice."
  }
})

export const bookingsCancel = Operation.make("bookings.cancel", {
  route: ["POST", "/bookings/:id/cancel"],
  summary: "Cancel a booking and free its place; safe to repeat.",
  description:
    "The guest is mailed. A booking paid online is refunded in full before its start, unless the payment is disputed. " +
    "Cannot be undone.",
  input: byId,
  output: BookingView,
  refusals: ["not_found"],
  hints: { destructive: true, openWorld: true, idempotent: true },
  light: true,
  tool: {
    title: "Cancel a booking",
    toolset: "bookings",
    description: "Cancels a booking and frees its place; the guest is mailed, and refunded in full before the " +
      "start. Cannot be undone. Safe to repeat."
  }
})

export const bookingsConfirm = Operation.make("bookings.confirm", {
  route: ["POST", "/bookings/:id/confirm"],
  summary: "Confirm a held booking; safe to repeat.",
  description: "Past expires_at it succeeds only while the place is still free.",
  input: byId,
  output: BookingView,
  refusals: ["not_found", "booking_cancelled", "hold_expired"],
  hints: { openWorld: true, idempotent: true },
  light: true,
  tool: {
    title: "Confirm a hold",
    toolset: "bookings",
    description: "Confirms a held booking; the guest is mailed. An expired hold is confirmed only while its " +
      "place is free. Safe to repeat."
  }
})

export const bookingsMove = Operation.make("bookings.move", {
  route: ["POST", "/bookings/:id/move"],
  summary: "Move a booking to another time of the same offering.",
  description:
    "A class moves to a session_id, anything else to a starts_at. Reference, price, payment and length stay. " +
    "Moving to where it is changes nothing.",
  input: Schema.Struct({
    id: Field.withDescription("the booking", Field.uuid),
    session_id: Field.optional(Field.withDescription("where a class moves to", Field.uuid)),
    starts_at: Field.optional(Field.withDescription("where anything else moves to; the length stays", Field.instant))
  }),
  exactlyOne: [["session_id", "starts_at"]],
  output: BookingView,
  refusals: [...placeRefusals, "booking_cancelled", "hold_expired"],
  hints: { openWorld: true, idempotent: true },
  light: true,
  tool: {
    title: "Move a booking",
    toolset: "bookings",
    description: "Moves a booking to another start of its offering (session_id for a class, else starts_at) and " +
      "mails the guest; price and reference stay. Safe to repeat."
  }
})

export const bookingsResend = Operation.make("bookings.resend", {
  route: ["POST", "/bookings/:id/resend"],
  summary: "Mail the confirmation again, at most once a day.",
  input: byId,
  output: Ok,
  refusals: ["not_found", "booking_held", "booking_cancelled", "customer_erased", "resend_limited"],
  hints: { openWorld: true },
  tool: {
    title: "Mail a confirmation again",
    toolset: "bookings",
    description: "Mails the guest the confirmation again, at most once a day; not for held or cancelled bookings."
  }
})

export const bookingOperations = [
  bookingsList,
  bookingsGet,
  bookingsCreate,
  bookingsCancel,
  bookingsConfirm,
  bookingsMove,
  bookingsResend
] as const

type Given = Operation.Operation.Input<typeof bookingsCreate>

const orderOf = (given: Given, actor: Actor["Type"], ids: Ids["Type"]): CreateBooking => {
  const { orgId } = actor
  const { idempotency_key, notes = "", quantity = 1, ...rest } = given
  const print = fingerprint(ids, { ...rest, notes, quantity })
  // Scope derived keys to the grant. Without access to guest data, a repeated request could otherwise reveal that
  // another caller has already booked this guest.
  const repeats = actor._tag === "Application" && !showsGuests(actor) ? `${orgId} ${actor.grantId}` : orgId
  return {
    orgId,
    source: sourceFor(actor),
    offeringId: given.offering_id,
    sessionId: given.session_id,
    startsAt: given.starts_at,
    quantity,
    periods: given.periods,
    customerId: given.customer_id,
    contact: given.customer,
    notes,
    holdMinutes: given.hold_minutes,
    isKeyNew: idempotency_key === undefined && !isAssistant(actor),
    idempotency: {
      key: idempotency_key ?? (isAssistant(actor) ? deriveKey(ids, `${repeats} ${print}`) : ids.uuid()),
      fingerprint: print
    }
  }
}

const positionOf = ({ booking }: BookingRecord) => startPosition(booking)

const lists = {
  asc: paginatedHandler("bookings asc", smallRowPageSize, positionOf, bookingView),
  desc: paginatedHandler("bookings desc", smallRowPageSize, positionOf, bookingView)
}

export const bookingHandlers = Effect.gen(function*() {
  const bookings = yield* Bookings
  const ids = yield* Ids
  const store = yield* BookingStore

  /**
   * Finds a key for a request without one. The key is derived from the request, so a repeat returns the same booking.
   * Once that booking is canceled, the next derived key is used, and the same request books again.
   */
  const again = (order: CreateBooking): Effect.Effect<CreateBooking> =>
    Effect.flatMap(
      store.findByIdempotencyKey([{ orgId: order.orgId, key: order.idempotency.key }]),
      ([found]) =>
        found?.booking.status !== "cancelled"
          ? Effect.succeed(order)
          : again({
            ...order,
            idempotency: { ...order.idempotency, key: nextDerivedKey(ids, order.orgId, order.idempotency.key) }
          })
    )

  return {
    "bookings.list": ({ cursor, limit, order = "asc", q = "", ...query }, actor) => {
      const { orgId } = actor
      const all = { ...toPatch(query), orgId, order }
      if (showsGuests(actor)) {
        const wanted = q === "" ? undefined : q
        return lists[order]({ cursor, limit }, (after, limit) => store.list({ ...all, q: wanted, after, limit }))
      }
      if (query.customer_id !== undefined) return needsGuestAccess("customer_id")
      const reference = q === "" ? undefined : parseReference(q)
      return lists[order](
        { cursor, limit },
        (after, limit) =>
          q !== "" && reference === undefined ? Effect.succeed([]) : store.list({ ...all, reference, after, limit })
      )
    },
    "bookings.get": ({ id }, { orgId }) => Effect.map(bookings.get({ orgId, id }), bookingView),
    "bookings.create": (given, actor) => {
      if ((given.customer_id === undefined) === (given.customer === undefined)) {
        return invalid("customer: give exactly one of customer_id and customer")
      }
      const order = orderOf(given, actor, ids)
      const isDerived = given.idempotency_key === undefined && isAssistant(actor)
      const made = isDerived ? Effect.flatMap(again(order), bookings.create) : bookings.create(order)
      return Effect.map(made, bookingView)
    },
    "bookings.cancel": ({ id }, { orgId }) => Effect.map(bookings.cancel({ orgId, id }), bookingView),
    "bookings.confirm": ({ id }, { orgId }) => Effect.map(bookings.confirm({ orgId, id }), bookingView),
    "bookings.move": ({ id, session_id: sessionId, starts_at: startsAt }, { orgId }) =>
      (sessionId === undefined) === (startsAt === undefined)
        ? invalid("starts_at: give exactly one of starts_at and session_id")
        : Effect.map(bookings.move({ orgId, id }, { sessionId, startsAt }), bookingView),
    "bookings.resend": ({ id }, { orgId }) => Effect.as(bookings.resend({ orgId, id }), ok)
  } satisfies Handlers<typeof bookingOperations>
})
