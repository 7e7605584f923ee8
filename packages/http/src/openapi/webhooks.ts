import { events } from "@trailbook/core/event/eventTypes"
import { EventView } from "@trailbook/core/event/EventView"
import type * as Event from "@trailbook/core/port/Event"
import { webhookTest } from "@trailbook/core/webhook/webhookTest"
import * as Schema from "effect/Schema"
import { json } from "./responses.ts"
import type { Schemas } from "./schemas.ts"

/**
 * The requests that endpoints get, by type of event.
 *
 * @category converting
 */
export const webhooks = (schemas: Schemas): Readonly<Record<string, object>> =>
  Object.fromEntries([...events, webhookTest].map((event) => [event.type, { post: delivery(event, schemas) }]))

const delivery = ({ beside, data, type, when }: Event.Any, schemas: Schemas) => ({
  operationId: type,
  tags: ["webhooks"],
  summary: when,
  description: `\`data\` is the resource after the change${beside === undefined ? "" : `, with ${beside}`}. ` +
    "The same `id` may be sent again: it is the same event.",
  // Who sends it has the endpoint's secret, not a key.
  security: [],
  parameters: [{
    name: "Service-Signature",
    in: "header",
    required: true,
    description: "Who has sent it, and when: `t=<unix seconds>,v1=<hex>`, signed with the endpoint's secret.",
    schema: { type: "string" }
  }],
  requestBody: {
    required: true,
    content: json(schemas.answer(Schema.Struct({ ...EventView.fields, type: Schema.Literal(type), data })))
  },
  responses: {
    "2XX": { description: "It has arrived. Any other answer is tried again." },
    "4XX": { description: "It is not signed as it should be." }
  }
})
