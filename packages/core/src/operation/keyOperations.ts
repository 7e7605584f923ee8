/**
 * Keys of programs, as an owner makes and revokes them.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { scopes } from "../actor/Actor.ts"
import { ApiKeys } from "../actor/ApiKeys.ts"
import { auditedBy } from "../staff/AuditList.ts"
import { KeyChanges } from "../staff/KeyChanges.ts"
import { KeyView, keyView } from "../staff/KeyView.ts"
import * as Field from "../wire/Field.ts"
import * as PageOperation from "./PageOperation.ts"
import type { Handlers } from "./Registry.ts"

const make = PageOperation.of("staff")

export const staffKeys = make("staff.keys", {
  input: Schema.Struct({}),
  output: Schema.Struct({ data: Field.means("oldest first, revoked ones included", Schema.Array(KeyView)) })
})

export const staffCreateKey = make("staff.createKey", {
  input: Schema.Struct({
    name: Field.means("what it is known by", Field.text({ min: 1, max: 80 })),
    scopes: Field.optional(
      Field.means("what it may do; all when left out", Field.someOf(Field.oneOf(...scopes), scopes.length))
    ),
    mode: Field.optional(Field.means("live when left out", Field.oneOf("live", "test"))),
    expires_at: Field.optional(Field.means("opens nothing from then on; never when left out", Field.instant))
  }),
  output: Schema.Struct({ ...KeyView.fields, api_key: Field.means("the key, shown this one time", Schema.String) }),
  refusals: ["not_found"]
})

export const staffRevokeKey = make("staff.revokeKey", {
  input: Schema.Struct({ id: Field.means("the key", Field.text({ min: 1, max: 40 })) }),
  output: KeyView,
  refusals: ["not_found"]
})

export const keyOperations = [staffKeys, staffCreateKey, staffRevokeKey] as const

export const keyHandlers = Effect.gen(function*() {
  const keys = yield* ApiKeys
  const changes = yield* KeyChanges
  return {
    "staff.keys": (_, { orgId }) => Effect.map(keys.list(orgId), (all) => ({ data: all.map(keyView) })),
    "staff.createKey": ({ expires_at: expiresAt, mode, name, scopes }, actor) =>
      Effect.map(
        changes.create({
          orgId: actor.orgId,
          name,
          ...(mode === undefined ? {} : { mode }),
          ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
          ...(expiresAt === undefined ? {} : { expiresAt }),
          by: auditedBy(actor)
        }),
        ({ key, token }) => ({ ...keyView(key), api_key: token })
      ),
    "staff.revokeKey": ({ id }, actor) =>
      Effect.map(changes.revoke({ orgId: actor.orgId, id, by: auditedBy(actor) }), keyView)
  } satisfies Handlers<typeof keyOperations>
})
