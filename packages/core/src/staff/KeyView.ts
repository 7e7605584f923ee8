import * as Schema from "effect/Schema"
import { scopes } from "../actor/Actor.ts"
import type { ApiKey } from "../actor/ApiKey.ts"
import { toView } from "../wire/snakeCase.ts"
import { Timestamp } from "../wire/View.ts"

/** An API key without its token. */
export const KeyView = Schema.Struct({
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
export type KeyView = typeof KeyView.Type

export const keyView: (value: ApiKey) => KeyView = toView(KeyView)
