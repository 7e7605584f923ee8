import { recorderKinds, sources } from "@trailbook/core/actor/Actor"
import { attendanceStatuses } from "@trailbook/core/booking/attendance/Attendance"
import type { Booking } from "@trailbook/core/booking/Booking"
import type { BookingRecord } from "@trailbook/core/booking/BookingView"
import { offeringKinds } from "@trailbook/core/offering/Offering"
import { disputeStatuses } from "@trailbook/core/payment/Payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { metadata } from "./metadata.ts"
import { text } from "./text.ts"

const base = Date.UTC(2027, 4, 1)

/**
 * An instant within a few minutes of `base` and at most a millisecond away from a whole minute, so that instants often
 * coincide.
 */
export const moment: FastCheck.Arbitrary<Instant.Instant> = FastCheck.tuple(
  FastCheck.integer({ min: -6, max: 6 }),
  FastCheck.constantFrom(0, 0, 0, -1, 1)
).map(([minutes, ms]) => Instant.make(base + minutes * 60_000 + ms))

export const place = FastCheck.record({
  startsAt: moment,
  minutes: FastCheck.constantFrom(1, 2, 60),
  sessionId: FastCheck.constantFrom(null, "session-1", "session-2")
}).map(({ minutes, sessionId, startsAt }) => ({
  startsAt,
  endsAt: Instant.addMinutes(startsAt, minutes),
  sessionId
}))

const payment = FastCheck.oneof(
  FastCheck.constant({ paidAt: null, paymentIntentId: null, refund: null, dispute: null }),
  FastCheck.record({
    dispute: FastCheck.option(FastCheck.record({ status: FastCheck.constantFrom(...disputeStatuses), at: moment })),
    paidAt: moment,
    paymentIntentId: FastCheck.constantFrom("pi_1", "pi_2"),
    refund: FastCheck.option(
      FastCheck.record({
        status: FastCheck.constantFrom("due" as const, "done" as const, "refused" as const),
        at: moment
      })
    )
  })
)

const common = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.uuid(),
  offeringId: FastCheck.uuid(),
  customerId: FastCheck.uuid(),
  place,
  payment,
  periodMinutes: FastCheck.constantFrom(5, 60, 1440),
  periods: FastCheck.integer({ min: 1, max: 60 }),
  quantity: FastCheck.integer({ min: 1, max: 10_000 }),
  totalCents: FastCheck.nat(),
  currency: FastCheck.constantFrom("usd", "jpy"),
  deskCents: FastCheck.constant(0),
  keepCents: FastCheck.constant(null),
  price: FastCheck.constant(null),
  cancellationPolicy: FastCheck.constant(null),
  onlineCents: FastCheck.constant(null),
  staffNotes: text(40),
  reference: FastCheck.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/),
  handle: FastCheck.stringMatching(/^[\w-]{22}$/),
  checkInToken: FastCheck.stringMatching(/^[\w-]{22}$/),
  source: FastCheck.constantFrom(...sources),
  notes: text(40),
  metadata,
  createdAt: moment,
  updatedAt: moment,
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
  previous: FastCheck.option(place),
  unproven: FastCheck.constant(null),
  resentAt: FastCheck.option(moment),
  contact: FastCheck.option(
    FastCheck.record({ email: FastCheck.emailAddress(), name: FastCheck.string(), phone: FastCheck.string() })
  ),
  idempotency: FastCheck.record({ key: FastCheck.uuid(), fingerprint: text(10) })
})

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
    confirmedAt: FastCheck.option(moment),
    cancelledAt: moment,
    keepCents: FastCheck.constantFrom(0, 999_999_999_999)
  })
)

/** A booking in any state. A hold is never paid, because a payment confirms or ends it. */
export const booking: FastCheck.Arbitrary<Booking> = FastCheck.tuple(common, state).map(
  ([{ payment, place, ...common }, state]) => ({
    ...common,
    ...place,
    ...(state.status === "held"
      ? { paidAt: null, paymentIntentId: null, refund: null, dispute: null }
      : state.status === "confirmed"
      ? { ...payment, refund: null }
      : { ...payment, refund: payment.refund && { ...payment.refund, cents: common.totalCents } }),
    ...state
  })
)

/** Adds the fields of a booking record that are not part of the booking. */
export const recordWith = (booking: Booking): BookingRecord => ({
  booking,
  offering: { id: booking.offeringId, name: "Raft", kind: offeringKinds[booking.quantity % 3] ?? "class" },
  customer: { id: booking.customerId, name: "Ann", email: "ann@a.co", phone: "1" }
})
