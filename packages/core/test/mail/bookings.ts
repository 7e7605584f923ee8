/** One booking in each status, for tests to modify. */
import type { Booking, CancelledBooking, ConfirmedBooking, HeldBooking } from "@trailbook/core/booking/Booking"
import type { BookingRecord } from "@trailbook/core/booking/BookingView"
import * as Org from "@trailbook/core/org/Org"
import * as Instant from "@trailbook/core/time/Instant"

export const at = (text: string): Instant.Instant => {
  const instant = Instant.parse(text)
  if (instant === undefined) throw new Error(`no instant: ${text}`)
  return instant
}

export const org: Org.Org = Org.make({
  id: "0197a1b2-0000-7000-8000-000000000001",
  name: "Pine River Outfitters",
  slug: "pine-river",
  timezone: "America/Denver",
  createdAt: at("2026-01-01T00:00Z")
})

export const confirmedBooking: ConfirmedBooking = {
  id: "0197a1b2-0000-7000-8000-000000000002",
  orgId: org.id,
  offeringId: "0197a1b2-0000-7000-8000-000000000003",
  customerId: "0197a1b2-0000-7000-8000-000000000004",
  sessionId: null,
  startsAt: at("2026-06-06T15:00Z"),
  endsAt: at("2026-06-06T18:00Z"),
  periodMinutes: 180,
  periods: 1,
  quantity: 2,
  totalCents: 24_000,
  currency: "usd",
  deskCents: 0,
  keepCents: null,
  price: null,
  cancellationPolicy: null,
  onlineCents: null,
  staffNotes: "",
  reference: "7K3M9Q2X",
  handle: "Jx2nA0cJ5m1q8WkVbQZr4w",
  checkInToken: "Zr7o0jV5xkQyT1sWcLm9Ag",
  source: "widget",
  notes: "",
  metadata: {},
  createdAt: at("2026-05-01T15:00Z"),
  confirmedAt: at("2026-05-01T15:00Z"),
  updatedAt: at("2026-05-01T15:00Z"),
  paidAt: null,
  paymentIntentId: null,
  refund: null,
  dispute: null,
  attendance: null,
  tapsFrom: at("2026-05-01T15:00Z"),
  previous: null,
  unproven: null,
  resentAt: null,
  contact: null,
  idempotency: { key: "0197a1b2-0000-7000-8000-000000000005", fingerprint: "" },
  status: "confirmed"
}

export const paidBooking: ConfirmedBooking = {
  ...confirmedBooking,
  paidAt: at("2026-05-01T15:10Z"),
  paymentIntentId: "pi_1"
}

export const heldBooking: HeldBooking = {
  ...confirmedBooking,
  status: "held",
  confirmedAt: null,
  expiresAt: at("2026-05-01T15:30Z"),
  paymentDue: true,
  checkoutUrl: "https://pay.example/c/1?a=b&c=d"
}

export const movedBooking: ConfirmedBooking = {
  ...paidBooking,
  startsAt: at("2026-06-07T15:00Z"),
  endsAt: at("2026-06-07T18:00Z"),
  previous: { startsAt: paidBooking.startsAt, endsAt: paidBooking.endsAt, sessionId: null }
}

export const cancelledBooking: CancelledBooking = {
  ...paidBooking,
  status: "cancelled",
  cancelledAt: at("2026-05-20T15:00Z"),
  keepCents: 0,
  refund: { status: "due", cents: paidBooking.totalCents, at: at("2026-05-20T15:00Z") }
}

export const record = (booking: Booking, offering: Partial<BookingRecord["offering"]> = {}): BookingRecord => ({
  booking,
  offering: { id: booking.offeringId, name: "Half-day raft trip", kind: "class", ...offering },
  customer: { id: booking.customerId, name: "Ada Lovelace", email: "ada@example.com", phone: "" }
})
