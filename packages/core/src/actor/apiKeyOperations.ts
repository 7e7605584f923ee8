/** Operations that let owners create and revoke API keys. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as PageOperation from "../operation/PageOperation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { ApiKeyManagement, ApiKeyView, apiKeyView } from "../staff/ApiKeyManagement.ts"
import { toAuditActor } from "../staff/AuditLog.ts"
import * as Field from "../wire/Field.ts"
import { scopes } from "./Actor.ts"
import { ApiKeys } from "./ApiKeys.ts"

const makeOperation = PageOperation.makePageOperations("staff")

export const staffKeys = makeOperation("staff.keys", {
  input: Schema.Struct({}),
  output: Schema.Struct({
    data: Field.withDescription("the API keys, including revoked keys, oldest first", Schema.Array(ApiKeyView))
  })
})

export const staffCreateKey = makeOperation("staff.createKey", {
  input: Schema.Struct({
    name: Field.withDescription("the display name", Field.text({ min: 1, max: 80 })),
    scopes: Field.describedOptional(
      "the granted scopes. Default: all",
      Field.nonEmptyList(Field.oneOf(...scopes), scopes.length)
    ),
    mode: Field.describedOptional("default: live", Field.oneOf("live", "test")),
    expires_at: Field.describedOptional("when the key expires. Default: never", Field.instant)
  }),
  output: Schema.Struct({
    ...ApiKeyView.fields,
    api_key: Field.withDescription("the API key, shown only once", Schema.String)
  }),
  refusals: ["not_found"]
})

export const staffRevokeKey = makeOperation("staff.revokeKey", {
  input: Schema.Struct({ id: Field.withDescription("the key", Field.text({ min: 1, max: 40 })) }),
  output: ApiKeyView,
  refusals: ["not_found"]
})

export const apiKeyOperations = [staffKeys, staffCreateKey, staffRevokeKey] as const

export const apiKeyHandlers = Effect.gen(function*() {
  const keys = yield* ApiKeys
  const keyManagement = yield* ApiKeyManagement
  return {
    "staff.keys": (_, { orgId }) => Effect.map(keys.list(orgId), (rows) => ({ data: rows.map(apiKeyView) })),
    "staff.createKey": ({ expires_at: expiresAt, mode, name, scopes }, actor) =>
      Effect.map(
        keyManagement.create({
          orgId: actor.orgId,
          name,
          ...(mode === undefined ? {} : { mode }),
          ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
          ...(expiresAt === undefined ? {} : { expiresAt }),
          by: toAuditActor(actor)
        }),
        ({ key, token }) => ({ ...apiKeyView(key), api_key: token })
      ),
    "staff.revokeKey": ({ id }, actor) =>
      Effect.map(keyManagement.revoke({ orgId: actor.orgId, id, by: toAuditActor(actor) }), apiKeyView)
  } satisfies OperationHandlers<typeof apiKeyOperations>
})
