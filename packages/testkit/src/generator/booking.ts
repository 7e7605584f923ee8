import { recorderKinds, sources } from "@trailbook/core/actor"
import {
  attendanceStatuses,
  type Booking,
  type BookingPrice,
  type CancelledBooking,
  type ConfirmedBooking,
  type CreateBookingRequest,
  type HeldBooking
} from "@trailbook/core/booking"
import { offeringKinds } from "@trailbook/core/offering/Offering"
import { disputeStatuses, refundStatuses } from "@trailbook/core/payment"
import { priceLineKinds } from "@trailbook/core/pricing"
import { languages } from "@trailbook/core/wire"
import * as FastCheck from "effect/FastCheck"
import { email } from "./customer.ts"
import { moment, momentOrNull, span } from "./moment.ts"
import type { OrgData } from "./orgData.ts"
import { bookingPolicy, discount, orgFees, pricing } from "./pricing.ts"
import { metadata, text } from "./text.ts"

const ids = FastCheck.constantFrom("adult", "child", "wetsuit")
const quantity = FastCheck.integer({ min: 1, max: 9 })

const price: FastCheck.Arbitrary<BookingPrice> = FastCheck.record({
  party: FastCheck.array(FastCheck.record({ rate_id: ids, quantity }), { maxLength: 2 }),
  extras: FastCheck.array(FastCheck.record({ extra_id: ids, quantity }), { maxLength: 2 }),
  lines: FastCheck.array(
    FastCheck.record({
      kind: FastCheck.constantFrom(...priceLineKinds),
      id: ids,
      name: text(80),
      quantity,
      unit_cents: FastCheck.integer(),
      total_cents: FastCheck.maxSafeInteger(),
      discount_cents: FastCheck.nat(),
      tax: FastCheck.boolean(),
      included: FastCheck.boolean()
    }),
    { maxLength: 3 }
  ),
  terms: FastCheck.record({
    kind: FastCheck.constantFrom(...offeringKinds),
    price_cents: FastCheck.nat(),
    pricing: FastCheck.option(pricing),
    fees: orgFees([]),
    discount: FastCheck.option(discount)
  })
})

const sharedFields = FastCheck.record({
  id: FastCheck.uuid(),
  span,
  length: FastCheck.record({
    periodMinutes: FastCheck.constantFrom(5, 60, 1440, 43_200),
    periods: FastCheck.integer({ min: 1, max: 60 })
  }),
  quantity: FastCheck.integer({ min: 1, max: 4 }),
  totalCents: FastCheck.oneof(FastCheck.constantFrom(0, Number.MAX_SAFE_INTEGER), FastCheck.nat()),
  currency: FastCheck.constantFrom("usd", "jpy"),
  onlineCents: FastCheck.option(FastCheck.nat(), { freq: 2 }),
  deskCents: FastCheck.constantFrom(0, 1, 100_000),
  keepCents: FastCheck.constant(null),
  price: FastCheck.option(price, { freq: 2 }),
  cancellationPolicy: FastCheck.option(bookingPolicy),
  source: FastCheck.constantFrom(...sources),
  notes: text(2000),
  staffNotes: text(2000),
  metadata,
  createdAt: moment,
  updatedAt: moment,
  paidAt: momentOrNull,
  paymentIntentId: FastCheck.option(text(80)),
  dispute: FastCheck.option(FastCheck.record(
    { status: FastCheck.constantFrom(...disputeStatuses), at: moment, cents: FastCheck.nat() },
    { requiredKeys: ["status", "at"] }
  )),
  refund: FastCheck.option(
    FastCheck.record({
      status: FastCheck.constantFrom(...refundStatuses),
      // The maximum leaves room for a disputed amount, which is added to the refund.
      cents: FastCheck.nat({ max: Number.MAX_SAFE_INTEGER - 2 ** 31 }),
      at: moment
    })
  ),
  previous: FastCheck.option(
    FastCheck.tuple(span, FastCheck.option(FastCheck.uuid())).map(([span, sessionId]) => ({ ...span, sessionId }))
  ),
  unproven: FastCheck.option(
    FastCheck.record({
      network: FastCheck.option(FastCheck.constantFrom("network-a", "network-b")),
      confirmIn: FastCheck.option(FastCheck.constantFrom(...languages))
    })
  ),
  attendance: FastCheck.option(FastCheck.record({
    status: FastCheck.constantFrom(...attendanceStatuses),
    arrived: FastCheck.integer({ min: 0, max: 10_000 }),
    at: moment,
    by: FastCheck.record({
      kind: FastCheck.constantFrom(...recorderKinds),
      id: FastCheck.option(FastCheck.uuid()),
      name: text(120)
    })
  })),
  tapsFrom: moment,
  resentAt: momentOrNull,
  contact: FastCheck.option(FastCheck.record({ email, name: text(120), phone: text(40) })),
  fingerprint: text(64)
})

const maxCents = 2 ** 50

const state = FastCheck.oneof(
  FastCheck.record({
    status: FastCheck.constant("held" as const),
    confirmedAt: FastCheck.constant(null),
    expiresAt: moment,
    paymentDue: FastCheck.boolean(),
    checkoutUrl: FastCheck.option(FastCheck.webUrl())
  }),
  FastCheck.record({ status: FastCheck.constant("confirmed" as const), confirmedAt: moment }),
  FastCheck.record({
    status: FastCheck.constant("cancelled" as const),
    confirmedAt: momentOrNull,
    cancelledAt: moment,
    keepCents: FastCheck.constantFrom(0, 999_999_999_999)
  })
)

/**
 * A booking in any state, without an org, offering, customer, or session. Its handle and key are as unique as its ID.
 * Its reference consists of eight digits of the ID, so two bookings can share a reference. Within an `orgData`,
 * references are unique.
 */
export const booking: FastCheck.Arbitrary<Booking> = FastCheck.tuple(sharedFields, state).map(
  ([{ fingerprint, length, span, ...fields }, state]) => ({
    ...fields,
    ...span,
    ...length,
    ...state,
    // A refund that exceeds the online payment adds to the amount due, which must still be a safe integer.
    ...(Math.max(fields.totalCents, fields.refund?.cents ?? 0) > maxCents ? { onlineCents: null, deskCents: 0 } : {}),
    orgId: "",
    offeringId: "",
    customerId: "",
    sessionId: null,
    reference: fields.id.replaceAll("-", "").slice(0, 8).toUpperCase(),
    handle: `handle-${fields.id}`,
    checkInToken: `token-${fields.id}`,
    idempotency: { key: fields.id.split("").toReversed().join(""), fingerprint }
  })
)

/** The fields that depend on the status. */
export type StatusFields =
  | Pick<HeldBooking, "status" | "expiresAt" | "paymentDue" | "checkoutUrl">
  | Pick<ConfirmedBooking, "status">
  | Pick<CancelledBooking, "status" | "cancelledAt" | "keepCents">

/**
 * Returns the booking in another status, without the fields of its previous status. If a hold becomes confirmed, its
 * creation time is also its confirmation time.
 */
export const withStatus = (booking: Booking, state: StatusFields): Booking => {
  const { cancelledAt: _at, checkoutUrl: _url, expiresAt: _expiry, paymentDue: _due, status: _status, ...rest } = {
    cancelledAt: null,
    checkoutUrl: null,
    expiresAt: null,
    paymentDue: null,
    ...booking
  }
  switch (state.status) {
    case "held":
      return { ...rest, ...state, confirmedAt: null, keepCents: null }
    case "confirmed":
      return { ...rest, ...state, confirmedAt: booking.confirmedAt ?? booking.createdAt, keepCents: null }
    case "cancelled":
      return { ...rest, ...state }
  }
}

const maybe = <A>(arbitrary: FastCheck.Arbitrary<A>) => FastCheck.option(arbitrary, { nil: undefined, freq: 3 })

/** Picks the ID of one of these rows, or occasionally a nonexistent ID. */
const oneOf = (rows: ReadonlyArray<{ readonly id: string }>): FastCheck.Arbitrary<string> =>
  FastCheck.oneof(
    { arbitrary: FastCheck.uuid(), weight: 1 },
    ...rows.map(({ id }) => ({ arbitrary: FastCheck.constant(id), weight: 4 }))
  )

/**
 * A request to create a booking in an org. It usually refers to existing rows, but there is not always enough capacity.
 */
export const createBookingInput = (
  orgId: string,
  { customers, offerings, sessions }: OrgData
): FastCheck.Arbitrary<CreateBookingRequest> =>
  FastCheck.record({
    orgId: FastCheck.constant(orgId),
    source: FastCheck.constantFrom(...sources),
    offeringId: oneOf(offerings),
    sessionId: maybe(oneOf(sessions)),
    startsAt: maybe(moment),
    quantity: FastCheck.integer({ min: 1, max: 12 }),
    periods: maybe(FastCheck.integer({ min: 1, max: 60 })),
    guest: FastCheck.oneof(
      oneOf(customers).map((customerId) => ({ customerId, contact: undefined })),
      FastCheck.record({ email, name: text(120), phone: text(40) }).map((contact) => ({
        customerId: undefined,
        contact
      }))
    ),
    notes: text(2000),
    holdMinutes: maybe(FastCheck.integer({ min: 5, max: 1440 })),
    idempotency: FastCheck.record({ key: FastCheck.uuid(), fingerprint: text(20) })
  }).map(({ guest, ...order }) => ({ ...order, ...guest }))
