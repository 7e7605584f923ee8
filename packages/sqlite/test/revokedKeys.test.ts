import { assert, it } from "@effect/vitest"
import { type ApiKey, ApiKeyStore } from "@trailbook/core/actor"
import { OrgStore } from "@trailbook/core/org"
import { UnitOfWork } from "@trailbook/core/port"
import { layer } from "@trailbook/sqlite"
import { open } from "@trailbook/sqlite/driver"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { newId, noon, org } from "./sample.ts"
import { temporaryFile } from "./temporaryFile.ts"

const key = (orgId: string): ApiKey => ({
  id: newId().slice(-12),
  orgId,
  name: "Website",
  mode: "live",
  digest: "0".repeat(64),
  last4: "abcd",
  scopes: ["read"],
  createdAt: noon,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null
})

const storeKey = Effect.gen(function*() {
  const ownOrg = org()
  yield* (yield* OrgStore).put(ownOrg)
  const keys = yield* ApiKeyStore
  const apiKey = key(ownOrg.id)
  yield* keys.put(apiKey)
  const isRevoked = Effect.map(keys.find(apiKey.id), (row) => Option.getOrThrow(row).revokedAt !== null)
  assert.isFalse(yield* isRevoked)
  return { apiKey, isRevoked, keys }
})

it.scoped("an API key is refused as soon as its revocation commits", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.gen(function*() {
      const { isRevoked, keys, apiKey } = yield* storeKey
      const { run } = yield* UnitOfWork
      const hasWritten = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const revoking = yield* Effect.fork(run(
        keys.put({ ...apiKey, revokedAt: noon }).pipe(
          Effect.zipRight(Deferred.succeed(hasWritten, undefined)),
          Effect.zipRight(Deferred.await(goOn))
        )
      ))
      yield* Deferred.await(hasWritten)
      assert.isFalse(yield* isRevoked)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(revoking)
      assert.isTrue(yield* isRevoked)
    }).pipe(Effect.provide(layer({ filename })))
  }))

it.scopedLive("an API key that another process revokes is refused within seconds", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.gen(function*() {
      const { isRevoked, apiKey } = yield* storeKey
      const other = yield* open(filename)
      other.prepare("update api_keys set revoked_at = ? where id = ?").run(noon, apiKey.id)
      // Look up the key repeatedly, the way requests do. A read must not extend the cached key's lifetime.
      yield* Effect.repeat(isRevoked, { until: (isRevokedNow) => isRevokedNow }).pipe(Effect.timeout("5 seconds"))
    }).pipe(Effect.provide(layer({ filename })))
  }))
