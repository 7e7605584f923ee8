/**
 * Tests the constraints that the storage must enforce: unique keys, and references within the org. Core also validates
 * keys and references. The constraints guard against concurrent processes and bugs in core.
 */
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
import { expectRejected } from "./row/makeRowLaws.ts"
import { copyBookingWithNewIds, newRequest, newResumableJob } from "./sampleRows.ts"
import { createEmptyOrg, newId, type SeededOrg, seedOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"

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
  law(
    "constraints/reference",
    "rejects a second booking with the same reference in one org",
    checkInFullOrg(({ booking }) =>
      expectRejected(Store.bookings.put([{ ...copyBookingWithNewIds(booking), reference: booking.reference }]))
    )
  ),

  law(
    "constraints/handle",
    "rejects a second booking with the same handle",
    checkInFullOrg(({ booking, twinId }) =>
      expectRejected(Store.bookings.put([{ ...copyBookingWithNewIds(booking), orgId: twinId, handle: booking.handle }]))
    )
  ),

  law(
    "constraints/check-in-token",
    "rejects a second booking with the same check-in token",
    checkInFullOrg(({ booking, twinId }) =>
      expectRejected(
        Store.bookings.put([{ ...copyBookingWithNewIds(booking), orgId: twinId, checkInToken: booking.checkInToken }])
      )
    )
  ),

  law(
    "constraints/idempotency",
    "rejects a second booking with the same idempotency key in one org",
    checkInFullOrg(({ booking }) =>
      expectRejected(Store.bookings.put([{
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
      yield* expectRejected(Store.bookings.put([{ ...copyBookingWithNewIds(booking), orgId: otherOrg.orgId }]))
      yield* expectRejected(Store.bookings.put([{ ...copyBookingWithNewIds(booking), offeringId: newId() }]))
      yield* expectRejected(Store.bookings.put([{ ...copyBookingWithNewIds(booking), customerId: newId() }]))
      yield* expectRejected(Store.bookings.put([{ ...copyBookingWithNewIds(booking), sessionId: newId() }]))
      // A row with valid references is stored.
      const { offeringId, id: sessionId } = session
      yield* Store.bookings.put([{ ...copyBookingWithNewIds(booking), orgId, offeringId, sessionId }])
    })
  ),

  law(
    "constraints/org",
    "rejects events, tasks, requests, and jobs with an unknown org",
    function*() {
      const { id: orgId } = yield* createEmptyOrg
      const unknownOrgId = newId()
      yield* expectRejected(Store.eventLog.append([newEvent(orgId), newEvent(unknownOrgId)]))
      yield* expectRejected(Store.eventLog.touch(unknownOrgId))
      yield* expectRejected(Store.tasks.add([
        Task.make({ id: newId(), orgId: unknownOrgId, kind: "refund", subjectId: newId(), dueAt: origin })
      ]))
      yield* expectRejected(Store.requestKeys.bind(newRequest(unknownOrgId)))
      yield* expectRejected(Store.resumableJobs.put(newResumableJob(unknownOrgId)))
      yield* Store.eventLog.append([newEvent(orgId)])
      // The rejected write consumed no ID.
      assert.deepStrictEqual((yield* Store.eventLog.latest(orgId, 10)).map(({ id }) => id), [1])
    }
  )
]
