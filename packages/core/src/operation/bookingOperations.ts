/**
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Source } from "../actor/Actor.ts"
import { statuses } from "../booking/Booking.ts"
import { Bookings } from "../booking/Bookings.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { BookingView, bookingView } from "../booking/BookingView.ts"
import type { Order } from "../booking/create.ts"
import { Ids } from "../port/Ids.ts"
import { invalid } from "../Refusal.ts"
import * as Cursor from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { Ok, page } from "../wire/View.ts"
import * as Operation from "./Operation.ts"
import type { Handlers } from "./Registry.ts"

const byId = Schema.Struct({ id: Field.uuid })

export const bookingsList = Operation.make("bookings.list", {
  route: ["GET", "/bookings"],
  summary: "List bookings by their start.",
  description: "from <= starts_at < to; order=desc shows the latest start first.",
  input: Schema.Struct({
    from: Field.optional(Field.instant),
    to: Field.optional(Field.instant),
    status: Field.optional(Field.oneOf(...statuses)),
    offering_id: Field.optional(Field.uuid),
    customer_id: Field.optional(Field.uuid),
    session_id: Field.optional(Field.uuid),
    order: Field.optional(Field.oneOf("asc", "desc")),
    ...Field.paging
  }),
  output: page(BookingView)
})

export const bookingsGet = Operation.make("bookings.get", {
  route: ["GET", "/bookings/:id"],
  summary: "Get a booking with its offering and customer.",
  input: byId,
  output: BookingView,
  refusals: ["not_found"]
})

export const bookingsCreate = Operation.make("bookings.create", {
  route: ["POST", "/bookings"],
  summary: "Book a slot from availability for a guest; with hold_minutes keep it for so long instead.",
  description: "A class is booked by session_id, an appointment or a rental by starts_at. Give exactly one of " +
    "customer_id and customer. Make a new idempotency_key for each wish and reuse it when you retry: the same request " +
    "then answers the same booking and books once.",
  input: Schema.Struct({
    offering_id: Field.uuid,
    session_id: Field.optional(Field.uuid),
    starts_at: Field.optional(Field.instant),
    quantity: Field.optional(Field.integer(1, 10_000)),
    periods: Field.optional(Field.integer(1, 60)),
    customer_id: Field.optional(Field.uuid),
    customer: Field.optional(Field.object({
      email: Field.email,
      name: Field.optional(Field.text({ max: 120 })),
      phone: Field.optional(Field.text({ max: 40 }))
    })),
    notes: Field.optional(Field.text({ max: 2000 })),
    hold_minutes: Field.optional(Field.integer(5, 1440)),
    idempotency_key: Field.optional(Field.uuid)
  }),
  output: BookingView,
  refusals: [
    "not_found",
    "slot_unavailable",
    "slot_full",
    "offering_paused",
    "session_cancelled",
    "idempotency_conflict",
    "customer_erased"
  ],
  status: 201,
  hints: { idempotencyKey: "idempotency_key" }
})

export const bookingsCancel = Operation.make("bookings.cancel", {
  route: ["POST", "/bookings/:id/cancel"],
  summary: "Cancel a booking and free its place; safe to repeat.",
  description:
    "The guest is mailed. A booking paid online is refunded in full while it has not started. Cannot be undone.",
  input: byId,
  output: BookingView,
  refusals: ["not_found"],
  hints: { destructive: true, idempotent: true }
})

export const bookingsConfirm = Operation.make("bookings.confirm", {
  route: ["POST", "/bookings/:id/confirm"],
  summary: "Confirm a held booking; safe to repeat.",
  description: "Past expires_at it succeeds only while the place is still free.",
  input: byId,
  output: BookingView,
  refusals: ["not_found", "booking_cancelled", "hold_expired"],
  hints: { idempotent: true }
})

export const bookingsMove = Operation.make("bookings.move", {
  route: ["POST", "/bookings/:id/move"],
  summary: "Move a booking to another time of the same offering.",
  description:
    "A class moves to a session_id, anything else to a starts_at. Reference, price, payment and length stay. " +
    "Moving to where it is changes nothing.",
  input: Schema.Struct({
    id: Field.uuid,
    session_id: Field.optional(Field.uuid),
    starts_at: Field.optional(Field.instant)
  }),
  output: BookingView,
  refusals: [
    "not_found",
    "slot_unavailable",
    "slot_full",
    "offering_paused",
    "session_cancelled",
    "booking_cancelled",
    "hold_expired"
  ],
  hints: { idempotent: true }
})

export const bookingsResend = Operation.make("bookings.resend", {
  route: ["POST", "/bookings/:id/resend"],
  summary: "Mail the confirmation again, at most once a day.",
  input: byId,
  output: Ok,
  refusals: ["not_found", "booking_held", "booking_cancelled", "resend_limited"]
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

const orderOf = (given: Given, orgId: string, source: Source, ids: Ids["Type"]): Order => {
  const { idempotency_key, ...wish } = given
  // The decoded request, not its bytes: spaces, the order of fields and the spelling of an instant do not matter.
  const fingerprint = ids.digest(JSON.stringify(Object.entries(wish).sort(([a], [b]) => a < b ? -1 : 1)))
  return {
    orgId,
    source,
    offeringId: given.offering_id,
    sessionId: given.session_id,
    startsAt: given.starts_at,
    quantity: given.quantity ?? 1,
    periods: given.periods,
    customerId: given.customer_id,
    contact: given.customer,
    notes: given.notes ?? "",
    holdMinutes: given.hold_minutes,
    idempotency: { key: idempotency_key ?? ids.uuid(), fingerprint }
  }
}

export const bookingHandlers = Effect.gen(function*() {
  const bookings = yield* Bookings
  const ids = yield* Ids
  const store = yield* BookingStore
  return {
    "bookings.list": ({ cursor, limit = Cursor.defaultLimit, ...query }, { orgId }) =>
      Effect.gen(function*() {
        const rows = yield* store.list({
          orgId,
          from: query.from,
          to: query.to,
          status: query.status,
          offeringId: query.offering_id,
          customerId: query.customer_id,
          sessionId: query.session_id,
          order: query.order ?? "asc",
          after: cursor === undefined ? undefined : yield* Cursor.read(cursor),
          limit: limit + 1
        })
        return Cursor.page(rows, limit, bookingView, ({ booking }) => ({ at: booking.startsAt, id: booking.id }))
      }),
    "bookings.get": ({ id }, { orgId }) => Effect.map(bookings.get({ orgId, id }), bookingView),
    "bookings.create": (given, { orgId, source }) =>
      (given.customer_id === undefined) === (given.customer === undefined)
        ? invalid("customer: give exactly one of customer_id and customer")
        : Effect.map(bookings.create(orderOf(given, orgId, source, ids)), bookingView),
    "bookings.cancel": ({ id }, { orgId }) => Effect.map(bookings.cancel({ orgId, id }), bookingView),
    "bookings.confirm": ({ id }, { orgId }) => Effect.map(bookings.confirm({ orgId, id }), bookingView),
    "bookings.move": ({ id, session_id: sessionId, starts_at: startsAt }, { orgId }) =>
      (sessionId === undefined) === (startsAt === undefined)
        ? invalid("starts_at: give exactly one of starts_at and session_id")
        : Effect.map(bookings.move({ orgId, id }, { sessionId, startsAt }), bookingView),
    "bookings.resend": ({ id }, { orgId }) => Effect.as(bookings.resend({ orgId, id }), { ok: true as const })
  } satisfies Handlers<typeof bookingOperations>
})
