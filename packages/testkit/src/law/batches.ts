import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import * as Task from "@trailbook/core/task/Task"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import * as Effect from "effect/Effect"
import { origin } from "../generator/moment.ts"
import { oneOfEach } from "./oneOfEach.ts"
import { freshId } from "./settle.ts"
import { unclaimed } from "./tasks.ts"

/**
 * Calls that each bring a good row first, and then one that a storage refuses;
 * and how many of the good ones are there.
 *
 * @category storing
 */
export const batches = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const customers = yield* CustomerStore
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const taskStore = yield* TaskStore
  const sessions = yield* SessionStore
  const known = yield* oneOfEach
  const { orgId } = known.booking
  const nowhere = freshId()
  const another = <Row>(row: Row) => ({ ...row, id: freshId() })
  const offering = another(known.offering)
  const session = another(known.session)
  const customer = { ...another(known.customer), email: "bob@a.co" }
  const booking = {
    ...another(known.booking),
    reference: freshId().slice(-8),
    handle: freshId(),
    idempotency: { key: freshId(), fingerprint: "" }
  }
  const task = Task.make({ id: freshId(), orgId, kind: "refund", subjectId: known.booking.id, dueAt: origin })
  const event = { orgId, type: "org.updated" as const, data: {}, person: null, createdAt: origin }
  const refused: ReadonlyArray<readonly [what: string, write: Effect.Effect<void>]> = [
    ["offerings of an unknown org", offerings.put([offering, { ...another(offering), orgId: nowhere }])],
    ["sessions of an unknown offering", sessions.put([session, { ...another(session), offeringId: nowhere }])],
    ["customers of one address", customers.put([customer, another(customer)])],
    ["bookings of one reference", bookings.put([booking, { ...another(booking), handle: freshId() }])],
    ["tasks of an unknown org", taskStore.add([task, { ...another(task), orgId: nowhere }])],
    ["events of an unknown org", log.append([event, { ...event, orgId: nowhere }])]
  ]
  return {
    refused,
    see: Effect.gen(function*() {
      const waiting = yield* unclaimed
      return [
        (yield* offerings.find([offering])).length,
        (yield* sessions.lock([session])).length,
        (yield* customers.find([customer])).length,
        (yield* bookings.find([booking])).length,
        waiting.filter(({ id }) => id === task.id).length,
        (yield* log.latest(orgId, 10)).length
      ]
    })
  }
})
