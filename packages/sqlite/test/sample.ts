import { type Booking, BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { OfferingStore } from "@trailbook/core/offering"
import * as Offering from "@trailbook/core/offering/Offering"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import type { NewEvent } from "@trailbook/core/port"
import { type Session, SessionStore } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"

export const noon = Instant.make(Date.UTC(2027, 4, 1, 12))
const hour = 60

let lastId = 0

/** Returns increasing IDs that resemble real row IDs. */
export const newId = (): string => `01900000-0000-7000-8000-${(++lastId).toString(16).padStart(12, "0")}`

export const org = (id = newId()): Org.Org =>
  Org.make({ id, name: "River & Sons", slug: `river-${id}`, timezone: "America/Denver", createdAt: noon })

export const booking = (
  place: { readonly orgId: string; readonly offeringId: string; readonly customerId: string },
  changes: Partial<Pick<Booking, "startsAt" | "endsAt" | "sessionId" | "quantity" | "createdAt">> = {}
): Booking => {
  const id = newId()
  const startsAt = changes.startsAt ?? noon
  return {
    ...place,
    id,
    sessionId: null,
    startsAt,
    endsAt: Instant.addMinutes(startsAt, hour),
    periodMinutes: hour,
    periods: 1,
    quantity: 1,
    totalCents: 4500,
    currency: "usd",
    deskCents: 0,
    keepCents: null,
    price: null,
    cancellationPolicy: null,
    onlineCents: null,
    staffNotes: "",
    reference: id.slice(-8),
    handle: `handle-of-${id}`,
    checkInToken: `token-of-${id}`,
    source: "api",
    notes: "",
    metadata: { boots: 43 },
    createdAt: noon,
    confirmedAt: noon,
    updatedAt: noon,
    paidAt: null,
    paymentIntentId: null,
    refund: null,
    dispute: null,
    attendance: null,
    tapsFrom: noon,
    previous: null,
    unproven: null,
    resentAt: null,
    contact: null,
    idempotency: { key: newId(), fingerprint: "0".repeat(64) },
    status: "confirmed",
    ...changes
  }
}

export const session = (orgId: string, offeringId: string, startsAt = noon): Session => ({
  id: newId(),
  orgId,
  offeringId,
  startsAt,
  endsAt: Instant.addMinutes(startsAt, hour),
  capacity: null,
  status: "scheduled",
  notes: "",
  createdAt: noon,
  judgedAt: Instant.make(0)
})

export const event = (orgId: string, changes: Partial<NewEvent> = {}): NewEvent => ({
  orgId,
  type: "org.updated",
  data: { id: orgId },
  person: null,
  createdAt: noon,
  ...changes
})

/** Creates an org with an offering, a session, and a guest. */
export const createOutfit = Effect.gen(function*() {
  const orgId = newId()
  yield* Effect.flatMap(OrgStore, ({ put }) => put(org(orgId)))
  const offering = Offering.make({ id: newId(), orgId, kind: "class", name: "Rafting", createdAt: noon })
  yield* Effect.flatMap(OfferingStore, ({ put }) => put([offering]))
  const departure = session(orgId, offering.id)
  yield* Effect.flatMap(SessionStore, ({ put }) => put([departure]))
  const customer = Customer.make({ id: newId(), orgId, email: `${newId()}@example.com`, name: "Ann", createdAt: noon })
  yield* Effect.flatMap(CustomerStore, ({ put }) => put([customer]))
  return { orgId, offeringId: offering.id, customerId: customer.id, sessionId: departure.id, customer }
})

export const putBookings = (bookings: ReadonlyArray<Booking>) =>
  Effect.flatMap(BookingStore, ({ put }) => put(bookings))
