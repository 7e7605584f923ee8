import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { origin } from "../generator/moment.ts"
import { law } from "./Law.ts"
import { openOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"

export const emptyInputLaws = [
  law("nothing/asked", "returns nothing for an empty list of keys", function*() {
    const answers = yield* Store.run(Effect.all([
      Store.bookings.findByIdempotencyKey([]),
      Store.bookings.lock([]),
      Store.bookings.overlapping([]),
      Store.bookings.unproven([]),
      Store.customers.find([]),
      Store.files.lock("o", []),
      Store.files.ofMessages("o", []),
      Store.files.removeOfMessages("o", []),
      Store.log.heads([]),
      Store.customers.lock([]),
      Store.customers.lockByEmail([]),
      Store.offerings.find([]),
      Store.tasks.retry([], origin),
      Store.offerings.lock([]),
      Store.sessions.booked([]),
      Store.sessions.lock([])
    ]))
    assert.isTrue(answers.every(({ length }) => length === 0))
  }),

  law("nothing/written", "changes nothing for an empty list of rows", function*() {
    const { id } = yield* openOrg
    yield* Store.run(Effect.all([
      Store.offerings.put([]),
      Store.customers.put([]),
      Store.sessions.put([]),
      Store.bookings.put([]),
      Store.files.use([]),
      Store.tasks.add([]),
      Store.tasks.done([]),
      Store.tasks.release([]),
      Store.log.rewrite(id, []),
      Store.log.append([])
    ]))
    assert.deepStrictEqual(yield* Store.log.latest(id, 10), [])
  }),

  law("nothing/latest", "returns nothing when zero of the latest events are requested", function*() {
    const { id: orgId } = yield* openOrg
    yield* Store.log.append([{ orgId, type: "org.updated", data: {}, person: null, createdAt: origin }])
    assert.deepStrictEqual(yield* Store.log.latest(orgId, 0), [])
  })
]
