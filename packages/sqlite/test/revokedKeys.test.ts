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

const stored = Effect.gen(function*() {
  const ours = org()
  yield* (yield* OrgStore).put(ours)
  const keys = yield* ApiKeyStore
  const made = key(ours.id)
  yield* keys.put(made)
  const isRevoked = Effect.map(keys.find(made.id), (found) => Option.getOrThrow(found).revokedAt !== null)
  assert.isFalse(yield* isRevoked)
  return { made, isRevoked, keys }
})

it.scoped("an API key is refused as soon as its revocation commits", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.gen(function*() {
      const { isRevoked, keys, made } = yield* stored
      const { run } = yield* UnitOfWork
      const written = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const revoking = yield* Effect.fork(run(
        keys.put({ ...made, revokedAt: noon }).pipe(
          Effect.zipRight(Deferred.succeed(written, undefined)),
          Effect.zipRight(Deferred.await(goOn))
        )
      ))
      yield* Deferred.await(written)
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
      const { isRevoked, made } = yield* stored
      const other = yield* open(filename)
      other.prepare("update api_keys set revoked_at = ? where id = ?").run(noon, made.id)
      // Look up the key repeatedly, as requests do. A read must not extend the cached key's lifetime.
      yield* Effect.repeat(isRevoked, { until: (revoked) => revoked }).pipe(Effect.timeout("5 seconds"))
    }).pipe(Effect.provide(layer({ filename })))
  }))
