import type { Storage } from "@trailbook/core/storage/Storage"
import * as Task from "@trailbook/core/task/Task"
import * as Effect from "effect/Effect"
import { origin } from "../generator/moment.ts"
import { another, oneOfEach } from "./oneOfEach.ts"
import { newId } from "./seedOrg.ts"
import * as Store from "./Store.ts"
import { unclaimedTasks } from "./tasks.ts"

/**
 * Calls that store a valid row followed by one that the storage rejects, and the number of valid rows stored
 * afterwards.
 */
export const batches = Effect.gen(function*() {
  const known = yield* oneOfEach
  const { orgId } = known.booking
  const nowhere = newId()
  const anew = <Row>(row: Row) => ({ ...row, id: newId() })
  const offering = anew(known.offering)
  const session = anew(known.session)
  const customer = { ...anew(known.customer), email: "bob@a.co" }
  const booking = another(known.booking)
  const task = Task.make({ id: newId(), orgId, kind: "refund", subjectId: known.booking.id, dueAt: origin })
  const event = { orgId, type: "org.updated" as const, data: {}, person: null, createdAt: origin }
  const refused: ReadonlyArray<readonly [what: string, write: Effect.Effect<void, never, Storage>]> = [
    ["offerings of an unknown org", Store.offerings.put([offering, { ...anew(offering), orgId: nowhere }])],
    ["sessions of an unknown offering", Store.sessions.put([session, { ...anew(session), offeringId: nowhere }])],
    ["customers of one address", Store.customers.put([customer, anew(customer)])],
    ["bookings of one reference", Store.bookings.put([booking, { ...anew(booking), handle: newId() }])],
    ["tasks of an unknown org", Store.tasks.add([task, { ...anew(task), orgId: nowhere }])],
    ["events of an unknown org", Store.log.append([event, { ...event, orgId: nowhere }])]
  ]
  return {
    refused,
    see: Effect.gen(function*() {
      const waiting = yield* unclaimedTasks
      return [
        (yield* Store.offerings.find([offering])).length,
        (yield* Store.sessions.lock([session])).length,
        (yield* Store.customers.find([customer])).length,
        (yield* Store.bookings.find([booking])).length,
        waiting.filter(({ id }) => id === task.id).length,
        (yield* Store.log.latest(orgId, 10)).length
      ]
    })
  }
})
