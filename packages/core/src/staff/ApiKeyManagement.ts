/**
 * Creates and revokes API keys, and records each change in the audit log in the same transaction. Changes lock the org,
 * so concurrent requests cannot exceed the key limit, and revoking a key twice adds only one audit entry.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { scopes } from "../actor/Actor.ts"
import type { ApiKey } from "../actor/ApiKey.ts"
import { ApiKeys } from "../actor/ApiKeys.ts"
import { OrgStore } from "../org/Orgs.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, notFound, type Refusal } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { Timestamp } from "../wire/View.ts"
import { type AuditActor, AuditLog } from "./AuditLog.ts"

export class ApiKeyManagement extends Context.Tag("@trailbook/core/ApiKeyManagement")<
  ApiKeyManagement,
  {
    /** Creates a key and returns its token, which cannot be read again. `expiresAt` must be in the future. */
    readonly create: (
      input: Parameters<ApiKeys["Type"]["create"]>[0] & { readonly by: AuditActor }
    ) => Effect.Effect<{ readonly key: ApiKey; readonly token: string }, Refusal<"not_found" | "invalid_request">>
    /** Revokes the key, effective from the next request. A repeated call changes nothing. */
    readonly revoke: (
      input: Pick<ApiKey, "orgId" | "id"> & { readonly by: AuditActor }
    ) => Effect.Effect<ApiKey, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(ApiKeyManagement, Effect.suspend(() => makeApiKeyManagement))
}

const makeApiKeyManagement = Effect.gen(function*() {
  const keys = yield* ApiKeys
  const orgs = yield* OrgStore
  const audit = yield* AuditLog
  const { run } = yield* UnitOfWork

  const lockKeys = (orgId: string) =>
    Effect.zipRight(Effect.flatMap(orgs.lock(orgId), failIfNotFound("org", orgId)), keys.list(orgId))

  return ApiKeyManagement.of({
    create: ({ by, ...input }) =>
      run(Effect.gen(function*() {
        const { orgId } = input
        const storedKeys = yield* lockKeys(orgId)
        const now = yield* currentTime
        if (input.expiresAt !== undefined && input.expiresAt <= now) return yield* expiryInPast
        const activeKeys = storedKeys.filter(({ expiresAt, revokedAt }) =>
          revokedAt === null && (expiresAt === null || expiresAt > now)
        )
        if (activeKeys.length >= maxApiKeys) return yield* limitReached
        const createdKey = yield* keys.create(input)
        yield* audit.addAndNotify({
          orgId,
          by,
          what: "key.created",
          subject: createdKey.key.id,
          name: createdKey.key.name
        })
        return createdKey
      })),
    revoke: ({ by, id, orgId }) =>
      run(Effect.gen(function*() {
        const current = (yield* lockKeys(orgId)).find((key) => key.id === id)
        if (current === undefined) return yield* notFound("API key", id)
        if (current.revokedAt !== null) return current
        const revokedKey = yield* keys.revoke(orgId, id)
        yield* audit.addAndNotify({ orgId, by, what: "key.revoked", subject: id, name: revokedKey.name })
        return revokedKey
      }))
  })
})

/** The maximum number of active keys per org. */
export const maxApiKeys = 200

const limitReached = invalid(`name: at most ${maxApiKeys} active keys are allowed. Revoke a key first.`)

const expiryInPast = invalid("expires_at: must be in the future")

/** An API key without its token. */
export const ApiKeyView = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  mode: Schema.Literal("live", "test"),
  last4: Schema.String,
  scopes: Schema.Array(Schema.Literal(...scopes)),
  created_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp),
  revoked_at: Schema.NullOr(Timestamp),
  last_used_at: Schema.NullOr(Timestamp)
})
export type ApiKeyView = typeof ApiKeyView.Type

export const apiKeyView: (value: ApiKey) => ApiKeyView = makeViewMapper(ApiKeyView)
