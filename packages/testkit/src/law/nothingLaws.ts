import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { FileStore } from "@trailbook/core/file/FileStore"
import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { origin } from "../generator/moment.ts"
import { law } from "./Law.ts"
import { openOrg } from "./settle.ts"

/**
 * Callers hand over what they have, which may be nothing.
 *
 * @category laws
 */
export const nothingLaws = [
  law("nothing/asked", "asking for no keys answers nothing", function*() {
    const bookings = yield* BookingStore
    const customers = yield* CustomerStore
    const files = yield* FileStore
    const log = yield* EventLog
    const offerings = yield* OfferingStore
    const sessions = yield* SessionStore
    const taskStore = yield* TaskStore
    const { run } = yield* UnitOfWork
    const answers = yield* run(Effect.all([
      bookings.findByIdempotencyKey([]),
      bookings.lock([]),
      bookings.overlapping([]),
      customers.find([]),
      files.lock("o", []),
      files.ofMessages("o", []),
      files.removeOfMessages("o", []),
      log.heads([]),
      customers.lock([]),
      customers.lockByEmail([]),
      offerings.find([]),
      taskStore.retry([], origin),
      offerings.lock([]),
      sessions.booked([]),
      sessions.lock([])
    ]))
    assert.isTrue(answers.every(({ length }) => length === 0))
  }),

  law("nothing/written", "writing no rows changes nothing", function*() {
    const log = yield* EventLog
    const { run } = yield* UnitOfWork
    const { id } = yield* openOrg
    yield* run(Effect.all([
      (yield* OfferingStore).put([]),
      (yield* CustomerStore).put([]),
      (yield* SessionStore).put([]),
      (yield* BookingStore).put([]),
      (yield* FileStore).use([]),
      (yield* TaskStore).add([]),
      (yield* TaskStore).done([]),
      (yield* TaskStore).release([]),
      log.rewrite(id, []),
      log.append([])
    ]))
    assert.deepStrictEqual(yield* log.latest(id, 10), [])
  }),

  law("nothing/latest", "asking for the newest none of some events answers nothing", function*() {
    const log = yield* EventLog
    const { id: orgId } = yield* openOrg
    yield* log.append([{ orgId, type: "org.updated", data: {}, person: null, createdAt: origin }])
    assert.deepStrictEqual(yield* log.latest(orgId, 0), [])
  })
]
