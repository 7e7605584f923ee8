import { maxStaff, type StaffMember } from "@trailbook/core/staff/StaffMember"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert } from "vitest"
import { staffMember } from "../generator/staffMember.ts"
import { oldestFirst } from "./compare.ts"
import { lawForAll } from "./lawForAll.ts"
import { newId, openOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"
import { race, runConcurrently } from "./TwoServerFixture.ts"

const people = FastCheck.uniqueArray(staffMember, { maxLength: 6, selector: ({ email }) => email })

/** Stores staff members in one org, and copies in another. */
const storeMembers = (rows: ReadonlyArray<StaffMember>) =>
  Effect.gen(function*() {
    const [{ id: orgId }, { id: twinId }] = yield* Effect.all([openOrg, openOrg])
    const rowsOf = (orgId: string) => rows.map((row) => ({ ...row, orgId }))
    yield* Effect.forEach([...rowsOf(orgId), ...rowsOf(twinId)], Store.staff.put, { discard: true })
    return { orgId, kept: rowsOf(orgId), twinId, twins: rowsOf(twinId) }
  })

const by = { _tag: "Operator" } as const

export const staffLaws = [
  lawForAll(
    "staff/list",
    "lists the complete staff of one org, oldest first",
    people,
    function*(rows) {
      const { kept, orgId } = yield* storeMembers(rows)
      assert.deepStrictEqual(yield* Store.staff.list(orgId), oldestFirst(kept))
      assert.deepStrictEqual(yield* Store.staff.list(newId()), [])
    }
  ),

  lawForAll(
    "staff/put",
    "replaces a staff member when they are stored again, and frees the previous email address",
    FastCheck.tuple(staffMember, staffMember),
    function*([before, after]) {
      const { kept: [first], orgId } = yield* storeMembers([before])
      if (first === undefined) return
      const replaced = { ...after, id: first.id, orgId, email: `new-${after.email}` }
      yield* Store.staff.put(replaced)
      assert.deepStrictEqual(yield* Store.staff.list(orgId), [replaced])
      const other = { ...first, id: newId() }
      yield* Store.staff.put(other)
      assert.deepStrictEqual(yield* Store.staff.list(orgId), oldestFirst([replaced, other]))
    }
  ),

  lawForAll(
    "staff/remove",
    "removes only the selected staff member, and ignores a key that does not exist",
    people.filter(({ length }) => length > 0),
    function*(rows) {
      const { kept, orgId, twinId, twins } = yield* storeMembers(rows)
      const [gone, ...rest] = kept
      if (gone === undefined) return
      yield* Store.staff.remove({ orgId, id: gone.id })
      yield* Store.staff.remove({ orgId, id: gone.id })
      yield* Store.staff.remove({ orgId: newId(), id: rest[0]?.id ?? gone.id })
      assert.deepStrictEqual(yield* Store.staff.list(orgId), oldestFirst(rest))
      assert.deepStrictEqual(yield* Store.staff.list(twinId), oldestFirst(twins))
    }
  ),

  race(
    "races/staff",
    "stores one staff member if the same address is added twice concurrently",
    function*({ orgId, staff: [here, there] }, round) {
      const add = (staff: typeof here, name: string) => staff.add({ orgId, email: "ann@a.co", name, by })
      const added = yield* runConcurrently(round, [add(here, "Ann"), add(there, "Anna"), add(here, "Anne")])
      assert.deepStrictEqual(added.codes, [])
      assert.strictEqual(new Set(added.won.map(({ id }) => id)).size, 1)
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
      const removed = yield* runConcurrently(round, [removal(here, bob.id, ann.id), removal(there, ann.id, bob.id)])
      assert.deepStrictEqual(removed.codes, ["invalid_request"])
      assert.strictEqual((yield* here.list(orgId)).length, 1)
    }
  ),

  race(
    "races/most-staff",
    "never exceeds the staff limit when staff members are added concurrently",
    function*({ orgId, staff: [here, there] }, round) {
      const first = yield* here.add({ orgId, email: "first@a.co", by })
      const others = Array.from(
        { length: maxStaff - 2 },
        (_, at) => ({ ...first, id: newId(), email: `${at}@a.co` })
      )
      yield* Effect.forEach(others, Store.staff.put, { discard: true })
      const { codes } = yield* runConcurrently(
        round,
        [here, there].map((staff, at) => staff.add({ orgId, email: `last-${at}@a.co`, by }))
      )
      assert.deepStrictEqual(codes, ["invalid_request"])
      assert.strictEqual((yield* here.list(orgId)).length, maxStaff)
    }
  )
]
