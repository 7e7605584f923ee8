/** Tests concurrent changes to the staff. */
import { maxStaffMembers } from "@trailbook/core/staff"
import { newId } from "@trailbook/testkit/law/seedOrg"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { race, runConcurrently } from "./TwoServerFixture.ts"

const by = { _tag: "Operator" } as const

export const staffRaces = [
  race(
    "races/staff",
    "stores one staff member if the same address is added twice concurrently",
    function*({ orgId, staff: [here, there] }, round) {
      const add = (staff: typeof here, name: string) => staff.add({ orgId, email: "ann@a.co", name, by })
      const outcome = yield* runConcurrently(round, [add(here, "Ann"), add(there, "Anna"), add(here, "Anne")])
      assert.deepStrictEqual(outcome.codes, [])
      assert.strictEqual(new Set(outcome.won.map(({ id }) => id)).size, 1)
      assert.strictEqual((yield* here.list(orgId)).length, 1)
    }
  ),

  race(
    "races/last-owner",
    "keeps at least one owner if two owners remove each other concurrently",
    function*({ orgId, staff: [here, there] }, round) {
      const owner = (email: string) => here.add({ orgId, email, role: "owner", by })
      const [ann, bob] = yield* Effect.all([owner("ann@a.co"), owner("bob@a.co")])
      const removal = (staff: typeof here, id: string, staffId: string) =>
        staff.remove({ orgId, id, by: { _tag: "Staff", staffId } })
      const outcome = yield* runConcurrently(round, [removal(here, bob.id, ann.id), removal(there, ann.id, bob.id)])
      assert.deepStrictEqual(outcome.codes, ["invalid_request"])
      assert.strictEqual((yield* here.list(orgId)).length, 1)
    }
  ),

  race(
    "races/most-staff",
    "never exceeds the staff limit when staff members are added concurrently",
    function*({ orgId, staff: [here, there] }, round) {
      const first = yield* here.add({ orgId, email: "first@a.co", by })
      const others = Array.from(
        { length: maxStaffMembers - 2 },
        (_, at) => ({ ...first, id: newId(), email: `${at}@a.co` })
      )
      yield* Effect.forEach(others, Store.staff.put, { discard: true })
      const { codes } = yield* runConcurrently(
        round,
        [here, there].map((staff, at) => staff.add({ orgId, email: `last-${at}@a.co`, by }))
      )
      assert.deepStrictEqual(codes, ["invalid_request"])
      assert.strictEqual((yield* here.list(orgId)).length, maxStaffMembers)
    }
  )
]
