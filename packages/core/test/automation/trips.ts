import type { FillRateClass, FillRateSession } from "@trailbook/core/automation/fillRateRules"
import type { MessageSender } from "@trailbook/core/automation/messageTemplates"
import type { RemindableTrip } from "@trailbook/core/automation/reminders"
import type { TripBooking } from "@trailbook/core/automation/Trip"
import type { WeatherTrip } from "@trailbook/core/automation/weatherRules"
import { makeSignalUnavailable } from "@trailbook/core/forecast/Signals"
import * as Instant from "@trailbook/core/time/Instant"

/** Sat, Jun 6, 2026, 9:00 AM in Denver. */
export const nine = Instant.make(Date.UTC(2026, 5, 6, 15))

export const voice: MessageSender = {
  org: "Salida River Co.",
  timezone: "America/Denver",
  reviewUrl: "https://example.com/r",
  units: "metric"
}

export const party = (id: string, overrides: Partial<TripBooking> = {}): TripBooking => ({
  bookingId: id,
  customerId: `customer of ${id}`,
  isNoShow: false,
  reachable: true,
  confirmed: true,
  quantity: 1,
  dueCents: 0,
  refundCents: 0,
  owed: { cents: 0, currency: "usd" },
  isDisputed: false,
  createdAt: Instant.addMinutes(nine, -10 * 24 * 60),
  ...overrides
})

export const trip = (overrides: Partial<WeatherTrip> = {}): WeatherTrip => ({
  sessionId: "s1",
  offeringId: "o1",
  offering: "Rafting",
  kind: "class",
  startsAt: nine,
  endsAt: Instant.addMinutes(nine, 120),
  parties: [party("b1")],
  weather: makeSignalUnavailable("Sky", "unset"),
  river: makeSignalUnavailable("River", "unset"),
  openStarts: [],
  ...overrides
})

export const fillSession = (
  sessionId: string,
  startsAt: Instant.Instant,
  booked: number,
  seats: number
): FillRateSession => ({
  sessionId,
  offeringId: "o1",
  offering: "Rafting",
  kind: "class",
  startsAt,
  endsAt: Instant.addMinutes(startsAt, 120),
  parties: Array.from({ length: booked }, (_, at) => party(`${sessionId} b${at}`)),
  booked,
  seats,
  capacity: null,
  createdAt: Instant.addMinutes(nine, -30 * 24 * 60),
  isOpenedByFill: false
})

export const fillClass = (
  sessions: ReadonlyArray<FillRateSession>,
  overrides: Partial<FillRateClass> = {}
): FillRateClass => ({
  offeringId: "o1",
  offering: "Rafting",
  minNoticeMinutes: 0,
  maxAdvanceDays: 365,
  sessions,
  cancelledStarts: [],
  isClosed: () => false,
  ...overrides
})

export const departure = (
  parties: ReadonlyArray<TripBooking>,
  overrides: Partial<RemindableTrip> = {}
): RemindableTrip => ({
  ...trip(),
  meetingPoint: "The boathouse",
  map: undefined,
  ...overrides,
  parties: parties.map((party) => ({ ...party, page: "https://example.com/b/x" }))
})
