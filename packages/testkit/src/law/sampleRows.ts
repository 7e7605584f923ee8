/** Rows of each kind, stored or not yet stored. */
import type { Booking } from "@trailbook/core/booking"
import * as Customer from "@trailbook/core/customer/Customer"
import type { ResumableJob } from "@trailbook/core/job"
import type { Grant } from "@trailbook/core/oauth"
import * as Offering from "@trailbook/core/offering/Offering"
import type { ExecutedRequest } from "@trailbook/core/port"
import type { Session } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import type { Webhook } from "@trailbook/core/webhook"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { origin } from "../generator/moment.ts"
import { passkey, signInLink, staffMember, staffSession } from "../generator/staffSession.ts"
import { createEmptyOrg, newId } from "./seedOrg.ts"
import * as Store from "./Store.ts"

/** Stores one class, one session an hour after the origin, one customer, and that customer's booking in an org. */
export const seedResources = (orgId: string, bookingId = newId(), email = "ann@a.co") =>
  Effect.gen(function*() {
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
    const customer = Customer.make({ id: newId(), orgId, email, createdAt: origin })
    const booking: Booking = {
      ...newBooking({
        orgId,
        offeringId: offering.id,
        customerId: customer.id,
        sessionId: session.id,
        startsAt,
        endsAt
      }),
      id: bookingId
    }
    yield* Store.offerings.put([offering])
    yield* Store.sessions.put([session])
    yield* Store.customers.put([customer])
    yield* Store.bookings.put([booking])
    return { offering, session, customer, booking }
  })

/** Creates an org, and stores the rows of `seedResources` in it. */
export const seedOneOfEachResource = Effect.flatMap(
  createEmptyOrg,
  (org) => Effect.map(seedResources(org.id), (rows) => ({ org, ...rows }))
) satisfies Effect.Effect<unknown, never, Storage>

export type SampleRows = Effect.Effect.Success<typeof seedOneOfEachResource>

/** Returns a confirmed booking for one person. */
export const newBooking = (
  fields: Pick<Booking, "orgId" | "offeringId" | "customerId" | "sessionId" | "startsAt" | "endsAt">
): Booking => ({
  ...fields,
  ...newBookingIds(),
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
  status: "confirmed"
})

const newBookingIds = () => ({
  id: newId(),
  reference: newId().slice(-8),
  handle: newId(),
  checkInToken: newId(),
  idempotency: { key: newId(), fingerprint: "" }
})

/** Returns a copy of the booking with a new ID, reference, handle, token, and key. */
export const copyBookingWithNewIds = (booking: Booking): Booking => ({ ...booking, ...newBookingIds() })

/** Returns a new endpoint with all event types and no deliveries. */
export const newWebhook = (orgId: string): Webhook => ({
  id: newId(),
  orgId,
  url: "https://outfitter.example/events",
  events: ["*"],
  active: true,
  sealedSecret: "sealed",
  createdAt: origin,
  lastStatus: null,
  lastError: null,
  lastAttemptAt: null
})

/** Returns a new request with an idempotency key. */
export const newRequest = (orgId: string): ExecutedRequest => ({
  orgId,
  operation: "sessions.create",
  key: "k",
  fingerprint: "",
  made: [],
  madeAt: origin
})

/** Returns a job that has started to cancel a session. */
export const newResumableJob = (orgId: string): ResumableJob => ({
  orgId,
  subject: "session",
  id: "s",
  begunAt: origin,
  touchedAt: origin,
  cancelled: 0,
  refunded: 0
})

export const newGrant = (orgId: string): Grant => ({
  id: newId(),
  orgId,
  clientId: "app",
  name: "Assistant",
  staffId: "ann",
  scopes: ["read"],
  personal: false,
  createdAt: origin,
  lastUsedAt: null,
  withdrawnAt: null
})

/** Returns the same random row in every call, for laws and tests that do not depend on its values. */
export const drawSample = <Row>(row: FastCheck.Arbitrary<Row>): Row =>
  Option.getOrThrow(Arr.head(FastCheck.sample(row, { numRuns: 1, seed: 1 })))

const drawWithId = <Row>(row: FastCheck.Arbitrary<Row>, orgId: string) => ({ ...drawSample(row), orgId, id: newId() })

export const newStaffMember = (orgId: string) => drawWithId(staffMember, orgId)

export const newPasskey = (orgId: string) => drawWithId(passkey, orgId)

export const newStaffSession = (orgId: string) => ({ ...drawWithId(staffSession, orgId), digest: newId() })

export const newSignInLink = (orgId: string) => ({ ...drawSample(signInLink), orgId, digest: newId(), staffId: "ann" })
