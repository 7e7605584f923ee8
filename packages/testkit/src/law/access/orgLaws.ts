import { type ApiKey, scopes } from "@trailbook/core/actor"
import { OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { moment, momentOrNull } from "../../generator/moment.ts"
import { org } from "../../generator/org.ts"
import { text } from "../../generator/text.ts"
import { law, lawForAll } from "../Law.ts"
import { assertAscending, assertFinds, assertFindsNothing, assertSameRows } from "../rowAssertions.ts"
import { createEmptyOrg, newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"

const listOrgs = Effect.flatMap(OrgStore, ({ all }) => all)

const storeOrg = (row: Org, id = newId()) => {
  const org = { ...row, id, slug: `town-${newId()}` }
  return Effect.as(Store.orgs.put(org), org)
}

export const orgLaws = [
  lawForAll(
    "orgs/find",
    "finds a stored org by ID, with or without a lock, and by slug",
    org,
    function*(org) {
      const storedOrg = yield* storeOrg(org)
      yield* storeOrg(org)
      yield* assertFinds(Store.orgs.find(storedOrg.id), storedOrg)
      yield* assertFinds(Store.orgs.lock(storedOrg.id), storedOrg)
      yield* assertFinds(Store.orgs.findBySlug(storedOrg.slug), storedOrg)
    }
  ),

  lawForAll(
    "orgs/put",
    "replaces an org when it is stored again, and frees its previous slug",
    FastCheck.tuple(org, org),
    function*([before, after]) {
      const { id, slug } = yield* storeOrg(before)
      const replacement = yield* storeOrg(after, id)
      yield* assertFinds(Store.orgs.find(id), replacement)
      yield* assertFindsNothing(Store.orgs.findBySlug(slug))
      yield* Store.orgs.put({ ...replacement, id: newId(), slug })
    }
  ),

  law("orgs/miss", "returns nothing for an unknown ID or slug", function*() {
    yield* assertFindsNothing(Store.orgs.find(newId()))
    yield* assertFindsNothing(Store.orgs.lock(newId()))
    yield* assertFindsNothing(Store.orgs.findBySlug("nobody"))
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

const apiKey: FastCheck.Arbitrary<ApiKey> = FastCheck.record({
  id: FastCheck.constant(""),
  orgId: FastCheck.constant(""),
  name: text(80),
  mode: FastCheck.constantFrom("live" as const, "test" as const),
  digest: FastCheck.hexaString({ minLength: 64, maxLength: 64 }),
  last4: FastCheck.constantFrom("aAzZ", "0123", "AZ09"),
  scopes: FastCheck.uniqueArray(FastCheck.constantFrom(...scopes)),
  createdAt: moment,
  expiresAt: momentOrNull,
  revokedAt: momentOrNull,
  lastUsedAt: momentOrNull
})

/** Returns a key ID, which has 12 characters and is case-sensitive. */
const makeKeyId = (): string => `K${newId().slice(-11)}`

const storeKey = (row: ApiKey, orgId: string, id = makeKeyId()) => {
  const key = { ...row, id, orgId }
  return Effect.as(Store.apiKeys.put(key), key)
}

export const apiKeyLaws = [
  lawForAll(
    "api-keys/find",
    "finds a stored key only by its exact ID",
    apiKey,
    function*(key) {
      const storedKey = yield* storeKey(key, (yield* createEmptyOrg).id)
      yield* assertFinds(Store.apiKeys.find(storedKey.id), storedKey)
      yield* assertFindsNothing(Store.apiKeys.find(storedKey.id.toLowerCase()))
      yield* assertFindsNothing(Store.apiKeys.find(makeKeyId()))
    }
  ),

  lawForAll(
    "api-keys/put",
    "replaces a key when it is stored again",
    FastCheck.tuple(apiKey, apiKey),
    function*([before, after]) {
      const { id, orgId } = yield* storeKey(before, (yield* createEmptyOrg).id)
      const replacement = yield* storeKey(after, orgId, id)
      yield* assertFinds(Store.apiKeys.find(id), replacement)
      assert.deepStrictEqual(yield* Store.apiKeys.list(orgId), [replacement])
    }
  ),

  lawForAll(
    "api-keys/list",
    "lists each of an org's keys once, oldest first, including revoked keys",
    FastCheck.array(apiKey, { maxLength: 6 }),
    function*(keys) {
      const [{ id }, { id: twinId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
      const storedKeys = yield* Effect.forEach(keys, (key) => storeKey(key, id))
      yield* Effect.forEach(keys, (key) => storeKey(key, twinId))
      const listedKeys = yield* Store.apiKeys.list(id)
      assertSameRows(listedKeys, storedKeys)
      assertAscending(listedKeys.map(({ createdAt }) => createdAt))
    }
  ),

  lawForAll(
    "api-keys/touch",
    "updates only a key's last-used time, and ignores an unknown key",
    FastCheck.tuple(apiKey, moment),
    function*([key, at]) {
      const { id: orgId } = yield* createEmptyOrg
      const [storedKey, other] = yield* Effect.all([storeKey(key, orgId), storeKey(key, orgId)])
      yield* Store.apiKeys.touch(storedKey.id, at)
      yield* Store.apiKeys.touch(makeKeyId(), at)
      yield* assertFinds(Store.apiKeys.find(storedKey.id), {
        ...storedKey,
        lastUsedAt: at
      })
      yield* assertFinds(Store.apiKeys.find(other.id), other)
    }
  )
]
