import { bookingView } from "@trailbook/core/booking/BookingView"
import { type CreateBooking, createBooking, walkInMinutes } from "@trailbook/core/booking/createBooking"
import * as Customer from "@trailbook/core/customer/Customer"
import { toSearchTerms } from "@trailbook/core/customer/customerSearch"
import * as Offering from "@trailbook/core/offering/Offering"
import * as Org from "@trailbook/core/org/Org"
import type { Session } from "@trailbook/core/session/Session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import { emailAddress } from "@trailbook/core/wire/emailAddress"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

const now = Instant.make(Date.parse("2027-05-01T12:00:00Z"))
const ids = { bookingId: "b", customerId: "c", reference: "ABCDEFGH", handle: "h", checkInToken: "t" }
const guest = Customer.make({
  id: "c",
  orgId: "org",
  email: Customer.placeholderEmail("c"),
  createdAt: now,
  name: "Ann"
})

const settings = FastCheck.record({
  minNoticeMinutes: FastCheck.nat({ max: 10_000 }),
  maxAdvanceDays: FastCheck.integer({ min: 1, max: 730 }),
  active: FastCheck.boolean(),
  priceCents: FastCheck.nat({ max: 10_000 })
})

const create = (
  offering: Offering.Offering,
  startsAt: Instant.Instant,
  booked: number,
  order: Partial<CreateBooking>
) => {
  const session: Session = {
    id: "s",
    orgId: "org",
    offeringId: "o",
    startsAt,
    endsAt: Instant.addMinutes(startsAt, 120),
    capacity: null,
    status: "scheduled",
    notes: "",
    createdAt: now,
    judgedAt: Instant.make(0)
  }
  const org = Org.make({ id: "org", name: "Org", slug: "org", timezone: "UTC", createdAt: now })
  return createBooking(
    {
      orgId: "org",
      source: "api",
      offeringId: "o",
      sessionId: "s",
      startsAt: undefined,
      quantity: 1,
      periods: undefined,
      customerId: undefined,
      contact: { email: "", name: "Ann" },
      notes: "",
      holdMinutes: undefined,
      idempotency: { key: "key", fingerprint: "print" },
      ...order
    },
    ids,
    {
      now,
      org: { ...org, plan: "pro" },
      zone: Zone.get("UTC"),
      closures: [],
      offering,
      session,
      use: { session, booked },
      customer: Either.right(guest)
    }
  )
}

describe("a walk-in", () => {
  it("is confirmed without payment exactly if it started at most 60 minutes ago, and the class is active and has seats", () => {
    FastCheck.assert(FastCheck.property(
      settings,
      FastCheck.oneof(
        FastCheck.integer({ min: -2 * walkInMinutes, max: 2 * walkInMinutes }),
        FastCheck.integer({ min: 0, max: 3000 * 1440 })
      ),
      FastCheck.nat({ max: 4 }),
      (given, minutes, booked) => {
        const offering = Offering.make({
          id: "o",
          orgId: "org",
          kind: "class",
          name: "Raft",
          createdAt: now,
          capacity: 4,
          ...given
        })
        const booking = create(offering, Instant.addMinutes(now, minutes), booked, { isWalkIn: true })
        expect(Either.isRight(booking)).toBe(given.active && minutes >= -walkInMinutes && booked < 4)
        if (Either.isRight(booking)) expect(booking.right.status).toBe("confirmed")
      }
    ))
  })

  it("without the flag keeps the notice and the horizon", () => {
    FastCheck.assert(
      FastCheck.property(settings, FastCheck.integer({ min: -120, max: 3000 * 1440 }), (given, minutes) => {
        const offering = Offering.make({ id: "o", orgId: "org", kind: "class", name: "Raft", createdAt: now, ...given })
        const startsAt = Instant.addMinutes(now, minutes)
        const { maxAdvanceDays, minNoticeMinutes } = given
        const days = Math.floor(startsAt / 86_400_000) - Math.floor(now / 86_400_000)
        const isOpen = minutes >= minNoticeMinutes && days <= maxAdvanceDays
        const booking = create(offering, startsAt, 0, { connected: null })
        expect(Either.isRight(booking)).toBe(given.active && isOpen)
      })
    )
  })
})

describe("a guest without an address", () => {
  it("has a hidden email that is no valid input and no search term", () => {
    FastCheck.assert(FastCheck.property(FastCheck.uuid(), (id) => {
      const email = Customer.placeholderEmail(id)
      expect(Customer.knownEmail({ email })).toBe("")
      expect(emailAddress(email.toUpperCase())).toBeUndefined()
      expect(toSearchTerms({ email, name: "", phone: "" })).toEqual([])
    }))
  })

  it("has an empty email in the view of a booking", () => {
    const offering = Offering.make({ id: "o", orgId: "org", kind: "class", name: "Raft", createdAt: now })
    const booking = Either.getOrThrow(create(offering, now, 0, { isWalkIn: true }))
    expect(bookingView({ booking, customer: guest, offering }).customer.email).toBe("")
  })
})
