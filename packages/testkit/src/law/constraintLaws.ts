/**
 * Tests the constraints that the storage must enforce: unique keys, and references within the org. Core also validates
 * keys and references. The constraints guard against concurrent processes and bugs in core.
 */
import type { Storage } from "@trailbook/core/storage"
import * as Task from "@trailbook/core/task/Task"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import type * as FastCheck from "effect/FastCheck"
import { withStatus } from "../generator/booking.ts"
import { origin } from "../generator/moment.ts"
import { type OrgData, orgData } from "../generator/orgData.ts"
import { newEvent } from "./event/endpoints.ts"
import { forAll } from "./forAll.ts"
import { type Law, law, type LawSteps, toEffect } from "./Law.ts"
import { assertDies, assertFindsNothing } from "./rowAssertions.ts"
import {
  copyBookingWithNewIds,
  newApiKey,
  newAssistantCall,
  newAuditEntry,
  newAuthorizationCode,
  newGrant,
  newPasskey,
  newRequest,
  newResumableJob,
  newSignInLink,
  newStaffMember,
  newStaffSession,
  newToken,
  newWebhook
} from "./sampleRows.ts"
import { createEmptyOrg, newId, type SeededOrg, seedOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"

/** Asserts that a unit of work with this write dies, and that its earlier writes are rolled back. */
const expectRefused = (write: Effect.Effect<void, never, Storage>): Effect.Effect<void, never, Storage> =>
  Effect.gen(function*() {
    const id = newId()
    const writeOrg = Effect.map(createEmptyOrg, (org) => ({ ...org, id, slug: id })).pipe(
      Effect.flatMap(Store.orgs.put)
    )
    yield* assertDies(Store.run(Effect.zipRight(writeOrg, write)), "the row was stored")
    yield* assertFindsNothing(Store.orgs.find(id))
  })

/** Orgs with at least one row of each kind. */
const fullOrgs: FastCheck.Arbitrary<OrgData> = orgData(4).filter(({ bookings, sessions }) =>
  bookings.length > 0 && sessions.length > 0
)

const checkInFullOrg = (
  check: (
    seededOrg: SeededOrg & {
      readonly booking: OrgData["bookings"][number]
      readonly customer: OrgData["customers"][number]
      readonly session: OrgData["sessions"][number]
    }
  ) => LawSteps
): Law["check"] =>
(conditions) =>
  forAll({ ...conditions, runs: 2 }, fullOrgs, (org) =>
    Effect.gen(function*() {
      const seededOrg = yield* seedOrg(org)
      const [[booking], [customer], [session]] = [seededOrg.bookings, seededOrg.customers, seededOrg.sessions]
      if (booking === undefined || customer === undefined || session === undefined) return
      yield* toEffect(check({ ...seededOrg, booking, customer, session }))
    }))

export const constraintLaws = [
  law("constraints/slug", "rejects a second org with the same slug", function*() {
    const { slug } = yield* createEmptyOrg
    const other = yield* createEmptyOrg
    yield* expectRefused(Store.orgs.put({ ...other, slug }))
  }),

  law(
    "constraints/email",
    "rejects a second customer with the same email address in one org, unless one of them is erased",
    checkInFullOrg(function*({ customer }) {
      const guest = { ...customer, email: "known@a.co", erasedAt: null }
      yield* Store.customers.put([guest])
      yield* expectRefused(Store.customers.put([{ ...guest, id: newId() }]))
      yield* Store.customers.put([{ ...guest, id: newId(), erasedAt: origin }])
    })
  ),

  law(
    "constraints/reference",
    "rejects a second booking with the same reference in one org",
    checkInFullOrg(({ booking }) =>
      expectRefused(Store.bookings.put([{ ...copyBookingWithNewIds(booking), reference: booking.reference }]))
    )
  ),

  law(
    "constraints/handle",
    "rejects a second booking with the same handle",
    checkInFullOrg(({ booking, twinId }) =>
      expectRefused(Store.bookings.put([{ ...copyBookingWithNewIds(booking), orgId: twinId, handle: booking.handle }]))
    )
  ),

  law(
    "constraints/check-in-token",
    "rejects a second booking with the same check-in token",
    checkInFullOrg(({ booking, twinId }) =>
      expectRefused(
        Store.bookings.put([{ ...copyBookingWithNewIds(booking), orgId: twinId, checkInToken: booking.checkInToken }])
      )
    )
  ),

  law(
    "constraints/idempotency",
    "rejects a second booking with the same idempotency key in one org",
    checkInFullOrg(({ booking }) =>
      expectRefused(Store.bookings.put([{
        ...withStatus(copyBookingWithNewIds(booking), { status: "cancelled", cancelledAt: origin, keepCents: 0 }),
        idempotency: { ...booking.idempotency, fingerprint: "another" }
      }]))
    )
  ),

  law(
    "constraints/booking-refers",
    "rejects a booking whose offering, guest, or session belongs to another org",
    checkInFullOrg(function*({ booking, orgId, session }) {
      const otherOrg = yield* seedOrg({ offerings: [], sessions: [], customers: [], bookings: [] })
      yield* expectRefused(Store.bookings.put([{ ...copyBookingWithNewIds(booking), orgId: otherOrg.orgId }]))
      yield* expectRefused(Store.bookings.put([{ ...copyBookingWithNewIds(booking), offeringId: newId() }]))
      yield* expectRefused(Store.bookings.put([{ ...copyBookingWithNewIds(booking), customerId: newId() }]))
      yield* expectRefused(Store.bookings.put([{ ...copyBookingWithNewIds(booking), sessionId: newId() }]))
      // A row with valid references is stored.
      const { offeringId, id: sessionId } = session
      yield* Store.bookings.put([{ ...copyBookingWithNewIds(booking), orgId, offeringId, sessionId }])
    })
  ),

  law(
    "constraints/others-refer",
    "rejects sessions, offerings, guests, and tasks that reference rows of another org",
    checkInFullOrg(function*({ booking, customer, offerings, session }) {
      const { id: orgId } = yield* createEmptyOrg
      const unknownOrgId = newId()
      const task = Task.make({ id: newId(), orgId: unknownOrgId, kind: "refund", subjectId: booking.id, dueAt: origin })
      yield* expectRefused(Store.sessions.put([{ ...session, orgId }]))
      yield* expectRefused(
        Store.offerings.put(offerings.map((row) => ({ ...row, orgId: unknownOrgId })))
      )
      yield* expectRefused(Store.customers.put([{ ...customer, orgId: unknownOrgId }]))
      yield* expectRefused(Store.tasks.add([task]))
    })
  ),

  law("constraints/staff", "rejects a second staff member with the same email address in one org", function*() {
    const member = newStaffMember((yield* createEmptyOrg).id)
    yield* Store.staff.put(member)
    yield* expectRefused(Store.staff.put({ ...member, id: newId() }))
    yield* Store.staff.put({ ...member, orgId: (yield* createEmptyOrg).id })
  }),

  law("constraints/login", "rejects a second sign-in session with the same secret", function*() {
    const login = newStaffSession((yield* createEmptyOrg).id)
    yield* Store.staffSessions.put(login)
    yield* expectRefused(Store.staffSessions.put({ ...login, id: newId() }))
    yield* expectRefused(
      Store.staffSessions.put({ ...newStaffSession((yield* createEmptyOrg).id), digest: login.digest })
    )
    yield* Store.staffSessions.put({ ...login, digest: newId() })
  }),

  law("constraints/passkey", "rejects a second passkey with the same ID", function*() {
    const passkey = newPasskey((yield* createEmptyOrg).id)
    yield* Store.passkeys.put(passkey)
    yield* expectRefused(Store.passkeys.put({ ...newPasskey((yield* createEmptyOrg).id), id: passkey.id }))
    yield* Store.passkeys.put({ ...passkey, counter: 7 })
  }),

  law("constraints/grant", "rejects codes and tokens whose grant does not exist in their org", function*() {
    const grant = newGrant((yield* createEmptyOrg).id)
    const { id: otherId } = yield* createEmptyOrg
    yield* expectRefused(Store.grants.put(newGrant(newId())))
    yield* expectRefused(Store.grants.putCode(newAuthorizationCode(grant)))
    yield* expectRefused(Store.grants.putToken(newToken(grant)))
    yield* Store.grants.put(grant)
    yield* Store.grants.putCode(newAuthorizationCode(grant))
    yield* Store.grants.putToken(newToken(grant))
    yield* expectRefused(Store.grants.putCode(newAuthorizationCode({ ...grant, orgId: otherId })))
    yield* expectRefused(Store.grants.putToken(newToken({ ...grant, orgId: otherId })))
  }),

  law("constraints/webhook", "rejects a second webhook with the same ID", function*() {
    const webhook = newWebhook((yield* createEmptyOrg).id)
    yield* Store.webhooks.add(webhook)
    yield* expectRefused(Store.webhooks.add(webhook))
    yield* expectRefused(Store.webhooks.add({ ...newWebhook((yield* createEmptyOrg).id), id: webhook.id }))
  }),

  law(
    "constraints/org",
    "rejects rows of every kind if their org does not exist",
    function*() {
      const { id: orgId } = yield* createEmptyOrg
      const unknownOrgId = newId()
      yield* expectRefused(Store.apiKeys.put(newApiKey(unknownOrgId)))
      yield* expectRefused(Store.staff.put(newStaffMember(unknownOrgId)))
      yield* expectRefused(Store.staffSessions.putLink(newSignInLink(unknownOrgId)))
      yield* expectRefused(Store.staffSessions.put(newStaffSession(unknownOrgId)))
      yield* expectRefused(Store.passkeys.put(newPasskey(unknownOrgId)))
      yield* expectRefused(Store.audit.add(newAuditEntry(unknownOrgId)))
      yield* expectRefused(Store.assistantCalls.add([newAssistantCall(unknownOrgId)]))
      yield* expectRefused(Store.webhooks.add(newWebhook(unknownOrgId)))
      yield* expectRefused(Store.eventLog.append([newEvent(orgId), newEvent(unknownOrgId)]))
      yield* expectRefused(Store.eventLog.touch(unknownOrgId))
      yield* expectRefused(Store.requestKeys.bind(newRequest(unknownOrgId)))
      yield* expectRefused(Store.resumableJobs.put(newResumableJob(unknownOrgId)))
      yield* Store.apiKeys.put(newApiKey(orgId))
      yield* Store.eventLog.append([newEvent(orgId)])
      // The rejected write consumed no ID.
      assert.deepStrictEqual((yield* Store.eventLog.latest(orgId, 10)).map(({ id }) => id), [1])
    }
  )
]
