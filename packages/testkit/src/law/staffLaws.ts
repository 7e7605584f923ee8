import { type StaffMember } from "@trailbook/core/staff/StaffMember"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert } from "vitest"
import { staffMember } from "../generator/staffMember.ts"
import { oldestFirst } from "./compare.ts"
import { lawForAll } from "./lawForAll.ts"
import { newId, openOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"

const people = FastCheck.uniqueArray(staffMember, { maxLength: 6, selector: ({ email }) => email })

/** Stores staff members in one org, and copies in another. */
const storeMembers = (rows: ReadonlyArray<StaffMember>) =>
  Effect.gen(function*() {
    const [{ id: orgId }, { id: twinId }] = yield* Effect.all([openOrg, openOrg])
    const rowsOf = (orgId: string) => rows.map((row) => ({ ...row, orgId }))
    yield* Effect.forEach([...rowsOf(orgId), ...rowsOf(twinId)], Store.staff.put, { discard: true })
    return { orgId, kept: rowsOf(orgId), twinId, twins: rowsOf(twinId) }
  })

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
  )
]
