import * as Schema from "effect/Schema"
import { scopes } from "../actor/Actor.ts"
import type { ApiKey } from "../actor/ApiKey.ts"
import { toView } from "../wire/snakeCase.ts"
import { Timestamp } from "../wire/View.ts"

/**
 * A key as it is shown: whoever sees this cannot use it.
 *
 * @category schemas
 */
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

/**
 * @category converting
 */
export const keyView: (value: ApiKey) => KeyView = toView(KeyView)
