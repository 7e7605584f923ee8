import type { Booking } from "@trailbook/core/booking"
import * as Customer from "@trailbook/core/customer/Customer"
import * as Offering from "@trailbook/core/offering/Offering"
import type { Session } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { origin } from "../generator/moment.ts"
import { createEmptyOrg, newId } from "./seedOrg.ts"
import * as Store from "./Store.ts"

/** Creates an org with one class, one session an hour after the origin, one customer, and that customer's booking. */
export const seedOneOfEach = Effect.gen(function*() {
  const org = yield* createEmptyOrg
  const orgId = org.id
  const [startsAt, endsAt] = [Instant.addMinutes(origin, 60), Instant.addMinutes(origin, 180)]
  const offering = Offering.make({ id: newId(), orgId, kind: "class", name: "Rafting", createdAt: origin })
  const session: Session = {
    id: newId(),
    orgId,
    offeringId: offering.id,
    startsAt,
    endsAt,
    capacity: null,
    status: "scheduled",
    notes: "",
    createdAt: origin,
    judgedAt: Instant.make(0)
  }
  const customer = Customer.make({ id: newId(), orgId, email: "ann@a.co", createdAt: origin })
  const booking: Booking = {
    id: newId(),
    orgId,
    offeringId: offering.id,
    customerId: customer.id,
    sessionId: session.id,
    startsAt,
    endsAt,
    periodMinutes: 120,
    periods: 1,
    quantity: 1,
    totalCents: 0,
    currency: "usd",
    deskCents: 0,
    keepCents: null,
    price: null,
    cancellationPolicy: null,
    onlineCents: null,
    staffNotes: "",
    reference: newId().slice(-8),
    handle: newId(),
    checkInToken: newId(),
    source: "api",
    notes: "",
    metadata: {},
    createdAt: origin,
    confirmedAt: origin,
    updatedAt: origin,
    paidAt: null,
    paymentIntentId: null,
    refund: null,
    dispute: null,
    attendance: null,
    tapsFrom: origin,
    previous: null,
    unproven: null,
    resentAt: null,
    contact: null,
    idempotency: { key: newId(), fingerprint: "" },
    status: "confirmed"
  }
  yield* Store.offerings.put([offering])
  yield* Store.sessions.put([session])
  yield* Store.customers.put([customer])
  yield* Store.bookings.put([booking])
  return { org, offering, session, customer, booking }
}) satisfies Effect.Effect<unknown, never, Storage>

/** Returns a copy of the booking with a new ID, reference, handle, token, and key. */
export const copyWithNewIds = (booking: Booking): Booking => ({
  ...booking,
  id: newId(),
  reference: newId().slice(-8),
  handle: newId(),
  checkInToken: newId(),
  idempotency: { key: newId(), fingerprint: "" }
})
