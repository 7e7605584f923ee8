import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import * as Field from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { Id, Timestamp } from "../wire/View.ts"
import type { PaymentConnection } from "./PaymentConnection.ts"

/** The account that receives guests' payments, without its secrets. */
export const ConnectionView = Schema.Struct({
  id: Id,
  provider: Schema.String,
  mode: Field.withDescription("live, or test if no real money is charged", Schema.Literal("live", "test")),
  account_id: Schema.String,
  name: Field.withDescription("the account name at the provider", Schema.String),
  notices: Field.withDescription(
    "whether the provider sends webhooks, so the server does not need to poll",
    Schema.Boolean
  ),
  connected_at: Timestamp,
  disconnected_at: Schema.NullOr(Timestamp),
  seen_to: Field.withDescription("the time before which all changes have been received", Timestamp)
})

export const connectionView = (connection: PaymentConnection): typeof ConnectionView.Type =>
  view({
    ...connection,
    notices: connection.sealedNoticeSecret !== null,
    seenTo: Instant.format(connection.seenTo)
  })

const view = toView(ConnectionView)
