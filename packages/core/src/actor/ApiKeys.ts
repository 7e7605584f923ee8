import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { sequential } from "../concurrency/scheduler.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal, refuse } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Instant } from "../time/Instant.ts"
import { type ApiKeyScope, scopes } from "./Actor.ts"
import * as ApiKey from "./ApiKey.ts"
import { ApiKeyStore } from "./ApiKey.ts"

export class ApiKeys extends Context.Tag("@trailbook/core/ApiKeys")<
  ApiKeys,
  {
    /** Creates a key. Only this result contains the complete key. */
    readonly create: (options: {
      readonly orgId: string
      readonly name: string
      readonly mode?: ApiKey.ApiKeyMode
      readonly scopes?: ReadonlyArray<ApiKeyScope>
      readonly expiresAt?: Instant
    }) => Effect.Effect<{ readonly key: ApiKey.ApiKey; readonly token: string }>
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<ApiKey.ApiKey>>
    /** Revokes a key, effective from the next request. Revoking a key again has no effect. */
    readonly revoke: (orgId: string, id: string) => Effect.Effect<ApiKey.ApiKey, Refusal<"not_found">>
    /** Returns the key for a token. All failures return the same error. */
    readonly verify: (token: string) => Effect.Effect<ApiKey.ApiKey, Refusal<"unauthorized">>
    /**
     * Returns the key that this process last verified for this token. It may have been revoked or expired since. A
     * caller that starts a read with it must therefore not return the result until `verify` succeeds. Returns undefined
     * if the storage runs in this process, because finding a key in such storage is faster than starting two fibers.
     */
    readonly lastOpened: (token: string) => ApiKey.ApiKey | undefined
  }
>() {
  static readonly layer = Layer.effect(ApiKeys, Effect.suspend(() => makeApiKeys))
}

const makeApiKeys = Effect.gen(function*() {
  const store = yield* ApiKeyStore
  const ids = yield* Ids
  const { queryAll, run } = yield* UnitOfWork
  // The digest to compare with if the ID is unknown, so that checking an unknown ID takes as long as checking a
  // wrong secret.
  const unmatchedDigest = ids.digest(ids.token(32))
  // Caches the last valid secret for each key by ID, which saves 5 µs of hashing per request. Revocation and expiry
  // are checked on every request. As long as a key is unchanged, callers get the same object, so they can use it as
  // a cache key.
  const verifiedKeys = new Map<string, { readonly key: ApiKey.ApiKey; readonly secret: string }>()
  const findVerifiedKey = ({ id, mode, secret }: ApiKey.ParsedApiKey): ApiKey.ApiKey | undefined => {
    const verifiedKey = verifiedKeys.get(id)
    return verifiedKey?.key.mode === mode && ApiKey.isEqualDigest(verifiedKey.secret, secret)
      ? verifiedKey.key
      : undefined
  }
  const cacheKey = (key: ApiKey.ApiKey, secret: string): void => {
    verifiedKeys.set(key.id, { key, secret })
    const [oldest] = verifiedKeys.keys()
    if (verifiedKeys.size > maxCachedKeys && oldest !== undefined) verifiedKeys.delete(oldest)
  }
  // The last use that this process has stored for each key. The map limits a burst of requests to a single write.
  const lastUses = new Map<string, Instant>()
  const isUseRecorded = ({ id, lastUsedAt }: ApiKey.ApiKey, now: Instant): boolean =>
    now - (lastUses.get(id) ?? lastUsedAt ?? 0) < minuteMs
  const recordUse = (key: ApiKey.ApiKey, now: Instant) => {
    // Clearing it is safe: without an entry, the stored time of the last use applies.
    if (lastUses.size >= maxCachedKeys) lastUses.clear()
    lastUses.set(key.id, now)
    // Write in the background so that a busy writer does not delay a read.
    return Effect.forkDaemon(store.touch(key.id, now))
  }

  return ApiKeys.of({
    create: (options) =>
      run(Effect.gen(function*() {
        const token = { mode: options.mode ?? "live", id: ids.token(12), secret: ids.token(32) }
        const key: ApiKey.ApiKey = {
          id: token.id,
          orgId: options.orgId,
          name: options.name,
          mode: token.mode,
          digest: ids.digest(token.secret),
          last4: ApiKey.format(token).slice(-4),
          scopes: options.scopes ?? scopes,
          createdAt: yield* currentTime,
          expiresAt: options.expiresAt ?? null,
          revokedAt: null,
          lastUsedAt: null
        }
        yield* store.put(key)
        return { key, token: ApiKey.format(token) }
      })),
    list: store.list,
    revoke: (orgId, id) =>
      run(Effect.gen(function*() {
        const key = yield* store.find(id)
        if (Option.isNone(key) || key.value.orgId !== orgId) return yield* notFound("API key", id)
        if (key.value.revokedAt !== null) return key.value
        const revokedKey = { ...key.value, revokedAt: yield* currentTime }
        yield* store.put(revokedKey)
        return revokedKey
      })),
    // This function runs on every request, so it uses few effects, no generator, and at most one query.
    verify: (text) => {
      const token = ApiKey.parse(text)
      if (token === undefined) return refuseKey()
      const check = (storedKey: ApiKey.ApiKey | undefined, now: Instant) => {
        const verifiedKey = findVerifiedKey(token)
        const isUnchanged = verifiedKey !== undefined && storedKey !== undefined &&
          ApiKey.hasSameCredentials(verifiedKey, storedKey)
        const hasValidSecret = isUnchanged ||
          ApiKey.isEqualDigest(ids.digest(token.secret), storedKey?.digest ?? unmatchedDigest)
        if (!hasValidSecret || storedKey === undefined || !ApiKey.isValid(storedKey, token.mode, now)) {
          if (verifiedKey !== undefined) verifiedKeys.delete(token.id)
          return refuseKey()
        }
        if (!isUnchanged) cacheKey(storedKey, token.secret)
        const key = isUnchanged ? verifiedKey : storedKey
        return isUseRecorded(storedKey, now) ? Effect.succeed(key) : Effect.as(recordUse(storedKey, now), key)
      }
      return Effect.flatMap(
        store.find(token.id),
        (storedKey) => Effect.flatMap(currentTime, (now) => check(Option.getOrUndefined(storedKey), now))
      )
    },
    lastOpened: queryAll === sequential ? () => undefined : (text) => {
      const token = ApiKey.parse(text)
      return token && findVerifiedKey(token)
    }
  })
})

const minuteMs = 60_000

const maxCachedKeys = 10_000

const refuseKey = () => refuse("unauthorized")
