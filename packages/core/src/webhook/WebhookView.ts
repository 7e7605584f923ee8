import * as Schema from "effect/Schema"
import { withDescription } from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { Id, ids, Integer, Timestamp } from "../wire/View.ts"
import { deliveryFaults, type Webhook } from "./Webhook.ts"

/** The API representation of a webhook endpoint. The secret is returned only when the endpoint is created. */
export const WebhookView = Schema.Struct({
  id: withDescription("its ID", Id, ids.webhook),
  url: withDescription("an https URL on the public internet", Schema.String, "https://example.com/hooks"),
  events: withDescription("the event types, or * for all types", Schema.Array(Schema.String), ["*"]),
  active: withDescription("always true", Schema.Boolean),
  last_status: withDescription(
    "the HTTP status of the last delivery, or 0 if there was no response",
    Schema.NullOr(Integer),
    204
  ),
  last_error: withDescription("the kind of the last failure", Schema.NullOr(Schema.Literal(...deliveryFaults))),
  last_attempt_at: withDescription(
    "when the last delivery was attempted",
    Schema.NullOr(Timestamp),
    "2027-05-01T15:00:02.310Z"
  ),
  created_at: withDescription("when it was created", Timestamp, "2027-04-02T16:20:00.000Z")
}).annotations({ identifier: "Webhook" })
export type WebhookView = typeof WebhookView.Type

export const webhookView: (value: Webhook) => WebhookView = toView(WebhookView)
