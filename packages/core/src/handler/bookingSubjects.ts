import * as Effect from "effect/Effect"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import type { Task } from "../task/Task.ts"
import { makeAttachOrg } from "./withOrg.ts"

/** The booking for a task. */
export interface BookingSubject {
  readonly record: BookingRecord
  readonly org: Org
  readonly offering: Offering | undefined
}

/** Loads the bookings for tasks, with their orgs and offerings. */
export const bookingSubjects = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const offerings = yield* OfferingStore
  const withOrgs = yield* makeAttachOrg
  return (tasks: ReadonlyArray<Task>): Effect.Effect<ReadonlyArray<BookingSubject | undefined>> =>
    Effect.gen(function*() {
      const records = yield* bookings.find(tasks.map(({ orgId, subjectId: id }) => ({ orgId, id })))
      const places = yield* offerings.find(records.map(({ booking: { offeringId: id, orgId } }) => ({ orgId, id })))
      return yield* withOrgs(tasks, ({ orgId, subjectId }) => {
        const record = records.find(({ booking }) => booking.id === subjectId && booking.orgId === orgId)
        const offering = places.find((place) => place.id === record?.booking.offeringId && place.orgId === orgId)
        return record && { record, offering }
      })
    })
})
