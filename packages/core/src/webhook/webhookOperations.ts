import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor } from "../actor/Actor.ts"
import * as Operation from "../operation/Operation.ts"
import type { Handlers } from "../operation/Registry.ts"
import { toIdempotentRequest } from "../operation/toIdempotentRequest.ts"
import { Ids } from "../port/Ids.ts"
import { auditedBy, AuditLog } from "../staff/AuditLog.ts"
import * as Field from "../wire/Field.ts"
import { Ok, ok } from "../wire/View.ts"
import type { Webhook } from "./Webhook.ts"
import { Webhooks } from "./Webhooks.ts"
import { WebhookView, webhookView } from "./WebhookView.ts"

export const webhooksList = Operation.make("webhooks.list", {
  route: ["GET", "/webhooks"],
  summary: "List webhook endpoints, each with the result of its last delivery.",
  description: "last_status is the HTTP status of the last delivery, 0 when there was no answer; last_error says of " +
    "what kind a failure was. A failed delivery stops an endpoint: it goes on from the event it missed, with its next " +
    "event and every 5 minutes.",
  input: Schema.Struct({}),
  output: Schema.Struct({ data: Field.withDescription("oldest first", Schema.Array(WebhookView)) }),
  scope: "admin",
  tool: {
    title: "List webhooks",
    toolset: "admin",
    description: "The addresses that events are pushed to, with the last delivery's status (0 = unreachable) and error."
  }
})

export const webhooksCreate = Operation.make("webhooks.create", {
  route: ["POST", "/webhooks"],
  summary: "Have events pushed to an https address; the signing secret is in this answer alone.",
  description:
    "events lists the types it gets, also ones that do not exist yet; [\"*\"], the default, is all. It begins " +
    "with the next event: read history by polling. An outfitter has at most 20. The same request with the same " +
    "idempotency_key answers the same webhook and adds one; for 24 hours with its secret, then it is refused.",
  input: Schema.Struct({
    url: Field.sameAs(WebhookView.fields.url, Field.endpointUrl),
    events: Field.optional(
      Field.withDescription(
        "the types that it gets; * for all, which is also the default",
        Field.someOf(Field.text({ min: 1, max: 60 }), 30)
      )
    ),
    idempotency_key: Field.idempotencyKey
  }),
  output: Schema.Struct({
    ...WebhookView.fields,
    secret: Field.withDescription(
      "signs deliveries; shown this one time",
      Schema.String,
      "whsec_7vQ2mXb9KcR4tYw8ZpL1sNf6HdJ3aGe5UoTiVyBnMqEx"
    )
  }),
  refusals: ["webhook_limit", "idempotency_conflict"],
  status: 201,
  scope: "admin",
  hints: { openWorld: true, discloses: true, idempotencyKey: "idempotency_key" },
  tool: {
    title: "Add a webhook",
    toolset: "admin",
    description:
      "Pushes the org's events, with guests' data, to an https address from now on. The answer alone has the " +
      "signing secret: hand it to the person at once."
  }
})

export const webhooksDelete = Operation.make("webhooks.delete", {
  route: ["DELETE", "/webhooks/:id"],
  summary: "Stop pushing events to an address and forget it.",
  input: Schema.Struct({ id: Field.withDescription("the webhook", Field.uuid) }),
  output: Ok,
  refusals: ["not_found"],
  scope: "admin",
  hints: { destructive: true },
  tool: {
    title: "Delete a webhook",
    toolset: "admin",
    description: "Stops pushing events to an address and forgets it with its secret. Cannot be undone."
  }
})

export const webhookOperations = [webhooksList, webhooksCreate, webhooksDelete] as const

export const webhookHandlers = Effect.gen(function*() {
  const audit = yield* AuditLog
  const ids = yield* Ids
  const webhooks = yield* Webhooks
  /** Contains only the host, because the path of a webhook URL often contains a secret. */
  const entryOf = (actor: Actor["Type"], { id, orgId, url }: Webhook) => ({
    orgId,
    by: auditedBy(actor),
    subject: id,
    name: new URL(url).host
  })
  return {
    "webhooks.list": (_, { orgId }) => Effect.map(webhooks.list(orgId), (all) => ({ data: all.map(webhookView) })),
    "webhooks.create": ({ events = ["*"], idempotency_key: key, url }, actor) =>
      Effect.map(
        webhooks.create({
          orgId: actor.orgId,
          url,
          events,
          keyed: toIdempotentRequest(ids, actor, webhooksCreate.name, key, { url, events }),
          record: (webhook) => audit.add({ ...entryOf(actor, webhook), what: "webhook.created" })
        }),
        ({ secret, webhook }) => ({ ...webhookView(webhook), secret })
      ),
    "webhooks.delete": ({ id }, actor) =>
      Effect.as(
        webhooks.remove(
          { orgId: actor.orgId, id },
          (webhook) => audit.note({ ...entryOf(actor, webhook), what: "webhook.deleted" })
        ),
        ok
      )
  } satisfies Handlers<typeof webhookOperations>
})
