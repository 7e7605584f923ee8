import { type ApiKey, scopes } from "@trailbook/core/actor"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { moment, momentOrNull } from "../../generator/moment.ts"
import { text } from "../../generator/text.ts"
import { assertAscending, assertSameRows } from "../compare.ts"
import { lawForAll } from "../Law.ts"
import { createEmptyOrg, newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"

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

const storeKey = (key: ApiKey, orgId: string, id = makeKeyId()) =>
  Effect.gen(function*() {
    const storedKey = { ...key, id, orgId }
    yield* Store.apiKeys.put(storedKey)
    return storedKey
  })

export const apiKeyLaws = [
  lawForAll(
    "api-keys/find",
    "finds a stored key only by its exact ID",
    apiKey,
    function*(key) {
      const storedKey = yield* storeKey(key, (yield* createEmptyOrg).id)
      assert.deepStrictEqual(Option.getOrNull(yield* Store.apiKeys.find(storedKey.id)), storedKey)
      assert.isTrue(Option.isNone(yield* Store.apiKeys.find(storedKey.id.toLowerCase())))
      assert.isTrue(Option.isNone(yield* Store.apiKeys.find(makeKeyId())))
    }
  ),

  lawForAll(
    "api-keys/put",
    "replaces a key when it is stored again",
    FastCheck.tuple(apiKey, apiKey),
    function*([before, after]) {
      const { id, orgId } = yield* storeKey(before, (yield* createEmptyOrg).id)
      const replacement = yield* storeKey(after, orgId, id)
      assert.deepStrictEqual(Option.getOrNull(yield* Store.apiKeys.find(id)), replacement)
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
      assert.deepStrictEqual(Option.getOrNull(yield* Store.apiKeys.find(storedKey.id)), {
        ...storedKey,
        lastUsedAt: at
      })
      assert.deepStrictEqual(Option.getOrNull(yield* Store.apiKeys.find(other.id)), other)
    }
  )
]
