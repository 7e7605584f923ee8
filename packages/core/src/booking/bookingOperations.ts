import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Actor, isAssistant, isPermitted, type Permission, refundPermission, toSource } from "../actor/Actor.ts"
import { CustomerView } from "../customer/Customer.ts"
import { parseBookingReference } from "../customer/customerSearch.ts"
import { canSeeGuests, makeGuestAccessRefusal } from "../operation/guestAccess.ts"
import * as Operation from "../operation/Operation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { computeFingerprint } from "../operation/toIdempotentRequest.ts"
import { deriveIdempotencyKey, deriveNextIdempotencyKey } from "../port/idempotency.ts"
import { Ids } from "../port/Ids.ts"
import { makePaginatedHandler, smallRowPageSize } from "../port/readInPages.ts"
import { refundChoices } from "../pricing/CancellationPolicy.ts"
import { Adjustments, Extras, Party, QuoteView } from "../pricing/Pricing.ts"
import { invalid, refuse } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { toCreationPosition, toStartPosition } from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { toPatch } from "../wire/snakeCase.ts"
import { Ok, ok, page } from "../wire/View.ts"
import { type Booking, bookingStatuses, isLive } from "./Booking.ts"
import { Bookings } from "./Bookings.ts"
import { BookingStore } from "./BookingStore.ts"
import { bookingPatchFields, type BookingRecord, BookingView, bookingView } from "./BookingView.ts"
import { placeRefusals } from "./checkPlace.ts"
import { type CreateBookingRequest, maxWalkInDelayMinutes } from "./createBooking.ts"
import { makeQuoteBooking } from "./price/quoteBooking.ts"

/** The order fields shared by bookings, quotes, and visitor bookings. */
export const bookingRequestFields = {
  offering_id: Field.withDescription("the offering to book", Field.uuid),
  session_id: Field.describedOptional("a class session from availability", Field.uuid),
  starts_at: Field.describedOptional("the start of an appointment or rental, from availability", Field.instant),
  quantity: Field.optional(Field.sameAs(BookingView.fields.quantity, Field.integer(1, 10_000)), 1),
  party: Field.describedOptional("the rates to book. If quantity is also set, it must match their spots", Party),
  extras: Field.describedOptional("the extras", Extras),
  periods: Field.describedOptional("the number of consecutive rental periods", Field.integer(1, 60), 1),
  discount_code: Field.describedOptional("a discount code", Field.discountCode),
  expected_total_cents: Field.describedOptional(
    "the price shown to the guest. Any other price is rejected",
    Field.integer(0, Number.MAX_SAFE_INTEGER)
  )
}

/** Returns the quantity of an order. If both the party and the quantity are omitted, the quantity is 1. */
export const getRequestedQuantity = (
  { party, quantity }: { readonly party?: unknown; readonly quantity?: number | undefined }
): number | undefined => quantity ?? (party === undefined ? 1 : undefined)

const adjustments = Field.describedOptional(
  "amounts to add after the fees, such as a damage charge or a discount (as a negative amount)",
  Adjustments
)

const idInput = Schema.Struct({ id: Field.withDescription("the booking", Field.uuid) })

export const bookingsList = Operation.make("bookings.list", {
  route: ["GET", "/bookings"],
  summary: "List bookings by start or creation time.",
  description:
    "Returns bookings with from <= starts_at < to. order=desc lists the latest start first. q finds bookings that " +
    "match all search words, in any order, ignoring case, accents, and number formatting. A word matches the " +
    "beginning of a word, any part of the phone number, or a complete reference. For an application without access " +
    "to guest data, q matches only a complete reference, and customer_id is rejected.",
  input: Schema.Struct({
    from: Field.describedOptional("the earliest start, inclusive", Field.instant),
    to: Field.describedOptional("the latest start, exclusive", Field.instant),
    status: Field.describedOptional("only bookings with this status", Field.oneOf(...bookingStatuses)),
    offering_id: Field.describedOptional("only bookings for this offering", Field.uuid),
    customer_id: Field.describedOptional("only this guest's bookings", Field.uuid),
    session_id: Field.describedOptional("only bookings in this class session", Field.uuid),
    q: Field.describedOptional(
      "words from the reference or the guest's name, email, or phone, in any order",
      Field.text({ max: 100 })
    ),
    order: Field.describedOptional("desc to list the latest start first", Field.oneOf("asc", "desc"), "asc"),
    sort: Field.describedOptional(
      "sorting by created returns the newest first and accepts only limit and cursor",
      Field.oneOf("start", "created"),
      "start"
    ),
    ...Field.paging
  }),
  output: page(BookingView),
  tool: {
    title: "List bookings",
    toolset: "bookings",
    description: "Lists bookings by start (from <= starts_at < to), or newest first with sort=created."
  }
})

export const bookingsGet = Operation.make("bookings.get", {
  route: ["GET", "/bookings/:id"],
  summary: "Get a booking with its offering and customer.",
  input: idInput,
  output: BookingView,
  refusals: ["not_found"],
  light: true,
  tool: {
    title: "Get a booking",
    toolset: "bookings",
    description: "Returns a booking with its offering and guest."
  }
})

export const bookingsCreate = Operation.make("bookings.create", {
  route: ["POST", "/bookings"],
  summary: "Book a slot from availability for a guest, or hold it with hold_minutes.",
  description: "Use session_id for a class and starts_at for an appointment or rental. Set exactly one of " +
    "customer_id and customer. Use a new idempotency_key for each request. A retry with the same key returns the " +
    "same booking and does not book again.",
  input: Schema.Struct({
    ...bookingRequestFields,
    adjustments,
    customer_id: Field.describedOptional("an existing guest, instead of customer", Field.uuid),
    customer: Field.describedOptional(
      "a guest to find by email or create, instead of customer_id. A walk-in needs only a name or phone",
      Field.object({
        email: Field.optional(
          Field.withDescription("required unless walk_in is true", Field.email, "ada@example.com")
        ),
        name: Field.optional(Field.sameAs(CustomerView.fields.name, Field.text({ max: 120 }))),
        phone: Field.optional(Field.sameAs(CustomerView.fields.phone, Field.text({ max: 40 })))
      })
    ),
    notes: Field.optional(Field.sameAs(BookingView.fields.notes, Field.text({ max: 2000 }))),
    metadata: Field.optional(
      // The limit is lower than for other metadata, because a list reads 100 bookings in one query.
      Field.withDescription("custom JSON data, at most 4 KiB", Field.metadataUpTo(4096))
    ),
    walk_in: Field.describedOptional(
      "whether the guest is already present. If true, skips online payment, notice, and horizon. Allowed until " +
        `${maxWalkInDelayMinutes} minutes after the start`,
      Field.boolean,
      false
    ),
    hold_minutes: Field.describedOptional(
      "how many minutes to hold the spot instead of confirming it",
      Field.integer(5, 1440)
    ),
    idempotency_key: Field.idempotencyKey
  }),
  exactlyOne: [["customer_id", "customer"], ["session_id", "starts_at"]],
  output: BookingView,
  refusals: [
    ...placeRefusals,
    "idempotency_conflict",
    "customer_erased",
    "party_invalid",
    "discount_invalid",
    "price_changed"
  ],
  status: 201,
  hints: { openWorld: true, idempotencyKey: "idempotency_key" },
  maxBodyBytes: 128 * 1024,
  light: true,
  tool: {
    title: "Book a spot",
    toolset: "bookings",
    description: "Books a start from availability_get and emails the guest. Set session_id for a class or " +
      "starts_at for other kinds, and customer_id or customer. Set hold_minutes to only hold the spot, and walk_in " +
      "if the guest is present. To retry, use the same idempotency_key."
  }
})

export const bookingsQuote = Operation.make("bookings.quote", {
  route: ["POST", "/quotes"],
  summary: "Get the price of a booking without creating it.",
  description:
    "Uses the fields and rules of `bookings.create`, but session_id and starts_at are optional and capacity is not " +
    "checked. due_now_cents is the amount due online at booking. With booking_id, returns the price of the booking " +
    "after a change with `bookings.update`.",
  input: Schema.Struct({
    ...bookingRequestFields,
    adjustments,
    discount_code: Field.describedOptional(
      "a discount code, or null to remove the booking's code",
      Field.nullable(Field.discountCode)
    ),
    offering_id: Field.optional(bookingRequestFields.offering_id),
    booking_id: Field.describedOptional("the booking to change, instead of an offering, start, and periods", Field.uuid)
  }),
  exactlyOne: [["offering_id", "booking_id"]],
  output: QuoteView,
  refusals: ["not_found", "party_invalid", "discount_invalid", "price_changed"],
  scope: "read",
  light: true,
  tool: {
    title: "Get a price",
    toolset: "catalog",
    description: "Returns the price of a new or changed booking. The offering's pricing lists the rates and extras."
  }
})

export const bookingsCancel = Operation.make("bookings.cancel", {
  route: ["POST", "/bookings/:id/cancel"],
  summary: "Cancel a booking and release its spots. Safe to retry.",
  description:
    "The guest gets an email. By default, an online payment is refunded in full if the booking is canceled before " +
    "its start, unless the payment is disputed. refund=policy applies the booking's cancellation policy. refund=none " +
    "refunds nothing and requires the admin scope. Money paid at the desk remains owed until a refund is recorded. " +
    "`bookings.restore` undoes the cancellation within 24 hours.",
  input: Schema.Struct({
    ...idInput.fields,
    refund: Field.describedOptional("the refund (none requires the admin scope)", Field.oneOf(...refundChoices), "full")
  }),
  output: BookingView,
  refusals: ["not_found"],
  hints: { destructive: true, openWorld: true, idempotent: true },
  light: true,
  tool: {
    title: "Cancel a booking",
    toolset: "bookings",
    description:
      "Cancels a booking and releases its spots. The guest gets an email and, before the start, a full refund " +
      "by default. The cancellation can be undone only within 24 hours."
  }
})

export const bookingsRestore = Operation.make("bookings.restore", {
  route: ["POST", "/bookings/:id/restore"],
  summary: "Restore a canceled booking within 24 hours of cancellation. Safe to retry.",
  description:
    "Reconfirms the booking if its spots are still available, and emails the guest. The price stays the same. A " +
    "refund is not reversed, so the refunded amount is due again. The booking's discount code counts as used again.",
  input: idInput,
  output: BookingView,
  refusals: [...placeRefusals, "booking_held", "booking_cancelled", "customer_erased", "discount_invalid"],
  hints: { openWorld: true, idempotent: true },
  light: true,
  tool: {
    title: "Restore a booking",
    toolset: "bookings",
    description:
      "Undoes a cancellation within 24 hours if its spots are free, and emails the guest. Refunds are not reversed, " +
      "so the amount is due again. Safe to retry."
  }
})

export const bookingsConfirm = Operation.make("bookings.confirm", {
  route: ["POST", "/bookings/:id/confirm"],
  summary: "Confirm a held booking. Safe to retry.",
  description: "An expired hold can be confirmed only while its spots are available.",
  input: idInput,
  output: BookingView,
  refusals: ["not_found", "booking_cancelled", "hold_expired"],
  hints: { openWorld: true, idempotent: true },
  light: true,
  tool: {
    title: "Confirm a hold",
    toolset: "bookings",
    description: "Confirms a hold and emails the guest. If the hold has expired, its spots must be free. Safe to retry."
  }
})

export const bookingsMove = Operation.make("bookings.move", {
  route: ["POST", "/bookings/:id/move"],
  summary: "Move a booking to another time for the same offering.",
  description:
    "Use session_id for a class and starts_at for other offerings. The reference, price, payment, and length stay " +
    "the same. Moving a booking to its current time has no effect.",
  input: Schema.Struct({
    id: Field.withDescription("the booking", Field.uuid),
    session_id: Field.describedOptional("the new class session", Field.uuid),
    starts_at: Field.describedOptional(
      "the new start of an appointment or rental, which keeps its length",
      Field.instant
    )
  }),
  exactlyOne: [["session_id", "starts_at"]],
  output: BookingView,
  refusals: [...placeRefusals, "booking_cancelled", "hold_expired"],
  hints: { openWorld: true, idempotent: true },
  light: true,
  tool: {
    title: "Move a booking",
    toolset: "bookings",
    description: "Moves a booking to another start for its offering (session_id for a class, otherwise " +
      "starts_at) and emails the guest. The price and reference stay the same. Safe to retry."
  }
})

export const bookingsUpdate = Operation.make("bookings.update", {
  route: ["PATCH", "/bookings/:id"],
  summary: "Change a booking's party, extras, discount code, adjustments, or notes.",
  description:
    "Omitted fields stay the same. The price is computed from the prices, fees, and discount at the time of booking. " +
    "Only new rates, extras, and codes use current prices. A larger party requires free spots. A price decrease is " +
    "not refunded, and owed_cents contains the difference. Confirmed bookings can be changed even after the start. " +
    "A hold can be changed only if it is live and requires no online payment.",
  input: Schema.Struct({
    ...idInput.fields,
    quantity: Field.describedOptional("the new quantity, if only one rate is booked", Field.integer(1, 10_000)),
    party: Field.describedOptional("the new list of rates", Party),
    extras: Field.describedOptional(
      "the new list of extras. If omitted, extras are kept, but per-spot extras are capped at the number of spots",
      Extras
    ),
    discount_code: Field.describedOptional(
      "a discount code, or null to remove the discount",
      Field.nullable(Field.discountCode)
    ),
    adjustments: Field.describedOptional("the new list of adjustments", Adjustments),
    ...bookingPatchFields,
    expected_total_cents: bookingRequestFields.expected_total_cents,
    notify: Field.describedOptional(
      "whether to email the guest if the party, extras, or total changes",
      Field.boolean,
      true
    )
  }),
  output: BookingView,
  refusals: [
    "not_found",
    "slot_full",
    "booking_cancelled",
    "hold_expired",
    "checkout_open",
    "customer_erased",
    "party_invalid",
    "discount_invalid",
    "price_changed"
  ],
  hints: { openWorld: true, idempotent: true },
  maxBodyBytes: 128 * 1024,
  light: true,
  tool: {
    title: "Change a booking",
    toolset: "bookings",
    description: "Changes party, extras, adjustments (replaces all), or notes, and updates the price. Refunds nothing."
  }
})

export const bookingsResend = Operation.make("bookings.resend", {
  route: ["POST", "/bookings/:id/resend"],
  summary: "Resend the confirmation email, at most once a day.",
  input: idInput,
  output: Ok,
  refusals: ["not_found", "booking_held", "booking_cancelled", "customer_erased", "no_address", "resend_limited"],
  hints: { openWorld: true },
  tool: {
    title: "Resend a confirmation",
    toolset: "bookings",
    description: "Resends a confirmed booking's confirmation email, at most once a day."
  }
})

export const bookingOperations = [
  bookingsList,
  bookingsGet,
  bookingsCreate,
  bookingsQuote,
  bookingsCancel,
  bookingsRestore,
  bookingsConfirm,
  bookingsMove,
  bookingsUpdate,
  bookingsResend
] as const

/** The permission that a cancellation requires. */
export const getCancelPermission = (refund: unknown): Permission =>
  refund === "none" ? refundPermission : { scope: "write" }

type CreateInput = Operation.Operation.Input<typeof bookingsCreate>

/** Returns an error if the combination of fields is invalid. */
const findInputError = ({ customer, hold_minutes, walk_in = false }: CreateInput): string | undefined => {
  if (!walk_in) {
    return customer !== undefined && customer.email === undefined
      ? "customer.email: is required"
      : undefined
  }
  if (hold_minutes !== undefined) return "hold_minutes: cannot be combined with walk_in"
  return customer !== undefined && !customer.email && !customer.name && !customer.phone
    ? "customer: a walk-in needs a name, a phone, or an email"
    : undefined
}

const toCreateBooking = (input: CreateInput, actor: Actor["Type"], ids: Ids["Type"]): CreateBookingRequest => {
  const { orgId } = actor
  const { idempotency_key, metadata = {}, notes = "", walk_in: isWalkIn = false, ...rest } = input
  const { customer, ...order } = rest
  const quantity = getRequestedQuantity(input)
  const hasMetadata = Object.keys(metadata).length > 0
  // If a request has no new fields, its fingerprint is the same as in earlier versions, so a retry after an upgrade
  // still matches.
  const requestFingerprint = computeFingerprint(ids, {
    ...rest,
    ...(hasMetadata ? { metadata } : {}),
    ...(isWalkIn ? { walk_in: isWalkIn } : {}),
    notes,
    quantity
  })
  // Scope derived keys to the grant if the caller cannot see guest data. Otherwise, a repeated request could reveal
  // that another caller has already booked this guest.
  const keyScope = actor._tag === "Application" && !canSeeGuests(actor) ? `${orgId} ${actor.grantId}` : orgId
  return {
    orgId,
    source: toSource(actor),
    offeringId: input.offering_id,
    quantity,
    contact: customer && { ...customer, email: customer.email ?? "" },
    isWalkIn,
    notes,
    metadata,
    isGeneratedKey: idempotency_key === undefined && !isAssistant(actor),
    idempotency: {
      key: idempotency_key ??
        (isAssistant(actor) ? deriveIdempotencyKey(ids, `${keyScope} ${requestFingerprint}`) : ids.uuid()),
      fingerprint: requestFingerprint
    },
    // Spread last, because each field after a spread takes longer to set. A field that occurs in both objects has the
    // same value in both.
    ...toPatch(order)
  }
}

const positionOf = ({ booking }: BookingRecord) => toStartPosition(booking)

const listHandlers = {
  asc: makePaginatedHandler("bookings asc", smallRowPageSize, positionOf, bookingView),
  desc: makePaginatedHandler("bookings desc", smallRowPageSize, positionOf, bookingView),
  created: makePaginatedHandler(
    "bookings created",
    smallRowPageSize,
    ({ booking }: BookingRecord) => toCreationPosition(booking),
    bookingView
  )
}

const sendsChangeMail = (actor: Actor["Type"]): boolean => actor._tag !== "Agent" || actor.coversChangeMail !== true

export const bookingHandlers = Effect.gen(function*() {
  const bookings = yield* Bookings
  const ids = yield* Ids
  const store = yield* BookingStore
  const quoteBooking = yield* makeQuoteBooking

  /**
   * Chooses the idempotency key for a request that has none. It is derived from the request, so a repeated request
   * returns the same booking. Once that booking is canceled, the next derived key is used, so the same request books
   * again. A request that probably repeats an earlier request gets the key of the earlier booking.
   */
  const withDerivedKey = (order: CreateBookingRequest, actor: Actor["Type"]): Effect.Effect<CreateBookingRequest> =>
    Effect.flatMap(
      store.findByIdempotencyKey([{ orgId: order.orgId, key: order.idempotency.key }]),
      ([record]) =>
        record === undefined
          ? Effect.map(
            canSeeGuests(actor) ? findProbableOriginal(order) : Effect.succeed(undefined),
            (original) => original === undefined ? order : { ...order, idempotency: original.idempotency }
          )
          : record.booking.status !== "cancelled"
          ? Effect.succeed(order)
          : withDerivedKey({
            ...order,
            idempotency: {
              ...order.idempotency,
              key: deriveNextIdempotencyKey(ids, order.orgId, order.idempotency.key)
            }
          }, actor)
    )

  /**
   * Returns an assistant's live booking from the last hour for the same guest, start, length, and quantity. When an
   * assistant retries, it often leaves out a name or the key (`docs/decisions/0093-probable-duplicates.md`).
   */
  const findProbableOriginal = (order: CreateBookingRequest): Effect.Effect<Booking | undefined> => {
    const { contact, customerId, offeringId, orgId, party = [], periods = 1, sessionId, startsAt } = order
    const quantity = order.quantity ?? party.reduce((sum, one) => sum + one.quantity, 0)
    const email = contact?.email ?? ""
    if (customerId === undefined && email === "") return Effect.succeed(undefined)
    const startFilter = startsAt === undefined ? {} : { from: startsAt, to: Instant.make(startsAt + 1) }
    const guestFilter = customerId === undefined ? { q: email } : { customerId }
    return Effect.gen(function*() {
      const now = yield* currentTime
      const records = yield* store.list({
        orgId,
        offeringId,
        sessionId,
        ...startFilter,
        ...guestFilter,
        order: "desc",
        limit: 50
      })
      return records.find(({ booking, customer }) =>
        booking.source === "mcp" && isLive(booking, now) && booking.createdAt > Instant.addMinutes(now, -60) &&
        booking.quantity === quantity && booking.periods === periods &&
        (customerId !== undefined || customer.email === email)
      )?.booking
    })
  }

  return {
    "bookings.list": ({ cursor, limit, sort = "start", ...filters }, actor) => {
      const { orgId } = actor
      if (sort === "created") {
        const [first] = Object.keys(filters)
        return first === undefined
          ? listHandlers.created({ cursor, limit }, (after, limit) => store.newest({ orgId, after: after?.id, limit }))
          : invalid(`${first}: cannot be combined with sort=created`)
      }
      const { order = "asc", q = "", ...query } = filters
      const filter = { ...toPatch(query), orgId, order }
      if (canSeeGuests(actor)) {
        const search = q === "" ? undefined : q
        return listHandlers[order](
          { cursor, limit },
          (after, limit) => store.list({ ...filter, q: search, after, limit })
        )
      }
      if (query.customer_id !== undefined) return makeGuestAccessRefusal("customer_id")
      const reference = q === "" ? undefined : parseBookingReference(q)
      return listHandlers[order](
        { cursor, limit },
        (after, limit) =>
          q !== "" && reference === undefined ? Effect.succeed([]) : store.list({ ...filter, reference, after, limit })
      )
    },
    "bookings.get": ({ id }, { orgId }) => Effect.map(bookings.get({ orgId, id }), bookingView),
    "bookings.create": (input, actor) => {
      const inputError = findInputError(input)
      if (inputError !== undefined) return invalid(inputError)
      const order = toCreateBooking(input, actor, ids)
      const hasDerivedKey = input.idempotency_key === undefined && isAssistant(actor)
      const result = hasDerivedKey
        ? Effect.flatMap(withDerivedKey(order, actor), bookings.create)
        : bookings.create(order)
      return Effect.map(result, bookingView)
    },
    "bookings.quote": (input, actor) =>
      quoteBooking({ ...toPatch(input), orgId: actor.orgId, source: toSource(actor) }),
    "bookings.cancel": ({ id, refund = "full" }, actor) =>
      !isPermitted(actor, getCancelPermission(refund))
        ? refuse("forbidden", "bookings.cancel with refund=none", "admin")
        : Effect.map(
          bookings.cancel({ orgId: actor.orgId, id }, refund, sendsChangeMail(actor) ? "mail.cancelled" : null),
          bookingView
        ),
    "bookings.restore": ({ id }, { orgId }) => Effect.map(bookings.restore({ orgId, id }), bookingView),
    "bookings.confirm": ({ id }, { orgId }) => Effect.map(bookings.confirm({ orgId, id }), bookingView),
    "bookings.update": ({ id, notify = true, ...change }, actor) =>
      Effect.map(
        bookings.update({ orgId: actor.orgId, id }, toPatch(change), notify && sendsChangeMail(actor)),
        bookingView
      ),
    "bookings.move": ({ id, session_id: sessionId, starts_at: startsAt }, actor) =>
      Effect.map(
        bookings.move({ orgId: actor.orgId, id }, { sessionId, startsAt }, { isMailed: sendsChangeMail(actor) }),
        bookingView
      ),
    "bookings.resend": ({ id }, { orgId }) => Effect.as(bookings.resend({ orgId, id }), ok)
  } satisfies OperationHandlers<typeof bookingOperations>
})
