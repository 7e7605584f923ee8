import { OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { moment } from "../../generator/moment.ts"
import { org } from "../../generator/org.ts"
import { assertAscending, assertSameRows } from "../compare.ts"
import { law, lawForAll } from "../Law.ts"
import { newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"

const listOrgs = Effect.flatMap(OrgStore, ({ all }) => all)

const storeOrg = (org: Org, id = newId()) =>
  Effect.gen(function*() {
    const storedOrg = { ...org, id, slug: `town-${newId()}` }
    yield* Store.orgs.put(storedOrg)
    return storedOrg
  })

export const orgLaws = [
  lawForAll(
    "orgs/find",
    "finds a stored org by ID, with or without a lock, and by slug",
    org,
    function*(org) {
      const storedOrg = yield* storeOrg(org)
      yield* storeOrg(org)
      assert.deepStrictEqual(Option.getOrNull(yield* Store.orgs.find(storedOrg.id)), storedOrg)
      assert.deepStrictEqual(Option.getOrNull(yield* Store.orgs.lock(storedOrg.id)), storedOrg)
      assert.deepStrictEqual(Option.getOrNull(yield* Store.orgs.findBySlug(storedOrg.slug)), storedOrg)
    }
  ),

  lawForAll(
    "orgs/put",
    "replaces an org when it is stored again, and frees its previous slug",
    FastCheck.tuple(org, org),
    function*([before, after]) {
      const { id, slug } = yield* storeOrg(before)
      const replacement = yield* storeOrg(after, id)
      assert.deepStrictEqual(Option.getOrNull(yield* Store.orgs.find(id)), replacement)
      assert.isTrue(Option.isNone(yield* Store.orgs.findBySlug(slug)))
      yield* Store.orgs.put({ ...replacement, id: newId(), slug })
    }
  ),

  law("orgs/miss", "returns nothing for an unknown ID or slug", function*() {
    assert.isTrue(Option.isNone(yield* Store.orgs.find(newId())))
    assert.isTrue(Option.isNone(yield* Store.orgs.lock(newId())))
    assert.isTrue(Option.isNone(yield* Store.orgs.findBySlug("nobody")))
  }),

  lawForAll(
    "orgs/all",
    "lists each org once, oldest first",
    FastCheck.array(FastCheck.tuple(org, moment), { maxLength: 8 }),
    function*(orgs) {
      const before = yield* listOrgs
      const addedOrgs = yield* Effect.forEach(orgs, ([org, createdAt]) => storeOrg({ ...org, createdAt }))
      const all = yield* listOrgs
      assertSameRows(all, [...before, ...addedOrgs])
      assertAscending(all.map(({ createdAt }) => createdAt))
    },
    () => 3
  )
]
