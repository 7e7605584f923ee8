import { events, EventView } from "@trailbook/core/event"
import type { Event } from "@trailbook/core/port"
import { webhookTest } from "@trailbook/core/webhook"
import * as Schema from "effect/Schema"
import { json } from "./responses.ts"
import type { Schemas } from "./schemas.ts"

/** Describes the requests that webhook endpoints receive, by event type. */
export const webhooks = (schemas: Schemas): Readonly<Record<string, object>> =>
  Object.fromEntries([...events, webhookTest].map((event) => [event.type, { post: delivery(event, schemas) }]))

const delivery = ({ extraData: extra, data, type, when }: Event.Any, schemas: Schemas) => ({
  operationId: type,
  tags: ["webhooks"],
  summary: when,
  description: `\`data\` is the resource after the change${extra === undefined ? "" : `, with ${extra}`}. ` +
    "An event can be delivered more than once, always with the same `id`.",
  // No key is needed, because the sender signs the request with the endpoint's secret.
  security: [],
  parameters: [{
    name: "Service-Signature",
    in: "header",
    required: true,
    description: "The timestamp and the signature computed with the endpoint's secret: `t=<unix seconds>,v1=<hex>`.",
    schema: { type: "string" }
  }],
  requestBody: {
    required: true,
    content: json(schemas.answer(Schema.Struct({ ...EventView.fields, type: Schema.Literal(type), data })))
  },
  responses: {
    "2XX": { description: "Accepted. Any other response triggers a retry." },
    "4XX": { description: "The signature is invalid." }
  }
})
