import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import * as Field from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { Id, Timestamp } from "../wire/View.ts"
import type { PaymentConnection } from "./PaymentConnection.ts"

/** The account that guests pay to, without its secrets. */
export const ConnectionView = Schema.Struct({
  id: Id,
  provider: Schema.String,
  mode: Field.withDescription("test takes no real money", Schema.Literal("live", "test")),
  account_id: Schema.String,
  name: Field.withDescription("what the provider calls the account", Schema.String),
  notices: Field.withDescription("whether the provider says what happens; else it is found by looking", Schema.Boolean),
  connected_at: Timestamp,
  disconnected_at: Schema.NullOr(Timestamp),
  seen_to: Field.withDescription("up to when everything that happened there is known", Timestamp)
})

export const connectionView = (connection: PaymentConnection): typeof ConnectionView.Type =>
  view({
    ...connection,
    notices: connection.sealedNoticeSecret !== null,
    seenTo: Instant.format(connection.seenTo)
  })

const view = toView(ConnectionView)
