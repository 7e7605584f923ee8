import { closurePosition } from "@trailbook/core/offering/closure/ClosureStore"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { assert } from "vitest"
import { closure } from "../generator/closure.ts"
import { origin } from "../generator/moment.ts"
import { orgData } from "../generator/orgData.ts"
import { sameRows } from "./compare.ts"
import { lawsAbout } from "./lawsAbout.ts"
import { readAllPages } from "./readAllPages.ts"
import { newId, openOrg, seedOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"
import { hourMs } from "./tasks.ts"

const inTown = lawsAbout(seedOrg)

export const closureLaws = [
  inTown(
    "closures/rows",
    "lists complete closures by first date, only of the requested orgs, until they are replaced or removed",
    FastCheck.tuple(
      orgData(0),
      FastCheck.uniqueArray(closure, { maxLength: 6, selector: ({ id }) => id }),
      FastCheck.integer({ min: -4, max: 7 })
    ),
    function*({ offerings, orgId, twinId }, closures, days) {
      const offeringId = offerings[0]?.id ?? null
      const rows = closures.map((row, at) => ({ ...row, orgId, offeringId: at === 0 ? offeringId : null }))
      for (const row of rows) yield* Store.closures.put(row)
      for (const row of rows) yield* Store.closures.put({ ...row, orgId: twinId, reason: "twin" })
      const { id: emptyId } = yield* openOrg
      const since = LocalDate.make(Math.floor(origin / (24 * hourMs)) + days)
      const expected = rows.filter(({ toDate }) => toDate >= since)
      sameRows(yield* Store.closures.since([orgId, emptyId], since), expected)
      assert.strictEqual((yield* Store.closures.since([orgId, twinId], since)).length, 2 * expected.length)
      assert.deepStrictEqual(yield* Store.closures.since([], since), [])
      const sorted = expected.toSorted((a, b) => a.fromDate - b.fromDate || (a.id < b.id ? -1 : 1))
      assert.deepStrictEqual(
        yield* readAllPages(2, (after) => Store.closures.list({ orgId, since, after, limit: 2 }), closurePosition),
        sorted
      )
      assert.strictEqual((yield* Store.closures.list({ orgId, limit: 100 })).length, rows.length)
      const [first] = rows
      if (first === undefined) return
      const changed = { ...first, reason: "other" }
      yield* Store.closures.put(changed)
      for (const found of [yield* Store.closures.find(first), yield* Store.run(Store.closures.lock(first))]) {
        assert.deepStrictEqual(Option.getOrNull(found), changed)
      }
      yield* Store.closures.remove(first)
      assert.isTrue(Option.isNone(yield* Store.closures.find(first)))
      assert.isTrue(Option.isNone(yield* Store.closures.find({ orgId, id: newId() })))
      assert.isTrue(Option.isSome(yield* Store.closures.find({ ...first, orgId: twinId })))
    }
  )
]
