import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Actor } from "../actor/Actor.ts"
import { Events } from "../event/Events.ts"
import { canOpenGuestPages } from "../operation/guestAccess.ts"
import * as Operation from "../operation/Operation.ts"
import * as PageOperation from "../operation/PageOperation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { toIdempotentRequest } from "../operation/toIdempotentRequest.ts"
import { Ids } from "../port/Ids.ts"
import { notFound, refuse } from "../Refusal.ts"
import { AuditLog, toAuditActor } from "../staff/AuditLog.ts"
import * as Instant from "../time/Instant.ts"
import * as Field from "../wire/Field.ts"
import { Integer, Ok, ok, Timestamp } from "../wire/View.ts"
import { DeliveryQueue } from "./Deliveries.ts"
import { type Webhook, WebhookStore, WebhookView, webhookView } from "./Webhook.ts"
import { Webhooks } from "./Webhooks.ts"

export const webhooksList = Operation.make("webhooks.list", {
  route: ["GET", "/webhooks"],
  summary: "List webhook endpoints, each with its last delivery result.",
  description:
    "last_status is the HTTP status of the last delivery, or 0 if there was no response. last_error is the kind of " +
    "failure. A failed delivery pauses the endpoint. Delivery of the failed event is retried every 5 " +
    "minutes and when a new event arrives.",
  input: Schema.Struct({}),
  output: Schema.Struct({ data: Field.withDescription("the webhooks, oldest first", Schema.Array(WebhookView)) }),
  scope: "admin",
  tool: {
    title: "List webhooks",
    toolset: "admin",
    description: "Lists the webhook endpoints with the status (0 if unreachable) and error of the last delivery."
  }
})

export const webhooksCreate = Operation.make("webhooks.create", {
  route: ["POST", "/webhooks"],
  summary: "Create a webhook endpoint for an https URL. Only this response contains the signing secret.",
  description:
    "Set events to the event types to receive. The list can include types from later versions. The default, " +
    "[\"*\"], means all types. Delivery starts with the next event. To get earlier events, use `events.list`. An " +
    "outfitter can have at most 20 webhooks. Events contain links to guest pages, so the write scope is also " +
    "required. A retry with the same idempotency_key within 24 hours returns the same webhook with its secret. " +
    "Later retries are rejected.",
  input: Schema.Struct({
    url: Field.sameAs(WebhookView.fields.url, Field.endpointUrl),
    events: Field.describedOptional(
      "the event types. Default: * (all types)",
      Field.nonEmptyList(Field.text({ min: 1, max: 60 }), 30)
    ),
    idempotency_key: Field.idempotencyKey
  }),
  output: Schema.Struct({
    ...WebhookView.fields,
    secret: Field.withDescription(
      "the signing secret for deliveries, shown only once",
      Schema.String,
      "whsec_7vQ2mXb9KcR4tYw8ZpL1sNf6HdJ3aGe5UoTiVyBnMqEx"
    )
  }),
  refusals: ["webhook_limit", "idempotency_conflict"],
  status: 201,
  scope: "admin",
  hints: { openWorld: true, discloses: true, idempotencyKey: "idempotency_key" },
  tool: {
    title: "Create a webhook",
    toolset: "admin",
    description: "Sends the org's future events, including guest data, to an https URL. Only this response contains " +
      "the signing secret. Give it to the user immediately."
  }
})

export const webhooksDelete = Operation.make("webhooks.delete", {
  route: ["DELETE", "/webhooks/:id"],
  summary: "Delete a webhook endpoint.",
  input: Schema.Struct({ id: Field.withDescription("the webhook", Field.uuid) }),
  output: Ok,
  refusals: ["not_found"],
  scope: "admin",
  hints: { destructive: true },
  tool: {
    title: "Delete a webhook",
    toolset: "admin",
    description: "Deletes a webhook with its secret and stops its deliveries. Cannot be undone."
  }
})

export const webhookOperations = [webhooksList, webhooksCreate, webhooksDelete] as const

export const webhookHandlers = Effect.gen(function*() {
  const audit = yield* AuditLog
  const ids = yield* Ids
  const webhooks = yield* Webhooks
  /** The audit entry contains only the host, because the path of a webhook URL often contains a secret. */
  const toAuditEntry = (actor: Actor["Type"], { id, orgId, url }: Webhook) => ({
    orgId,
    by: toAuditActor(actor),
    subject: id,
    name: new URL(url).host
  })
  return {
    "webhooks.list": (_, { orgId }) => Effect.map(webhooks.list(orgId), (all) => ({ data: all.map(webhookView) })),
    "webhooks.create": ({ events = ["*"], idempotency_key: key, url }, actor) =>
      // Events contain guest page URLs, which require `write`.
      !canOpenGuestPages(actor) ? refuse("forbidden", webhooksCreate.name, "write") : Effect.map(
        webhooks.create({
          orgId: actor.orgId,
          url,
          events,
          keyed: toIdempotentRequest(ids, actor, webhooksCreate.name, key, { url, events }),
          record: (webhook) => audit.add({ ...toAuditEntry(actor, webhook), what: "webhook.created" })
        }),
        ({ secret, webhook }) => ({ ...webhookView(webhook), secret })
      ),
    "webhooks.delete": ({ id }, actor) =>
      Effect.as(
        webhooks.remove(
          { orgId: actor.orgId, id },
          (webhook) => audit.addAndNotify({ ...toAuditEntry(actor, webhook), what: "webhook.deleted" })
        ),
        ok
      )
  } satisfies OperationHandlers<typeof webhookOperations>
})

const DeliveryView = Schema.Struct({
  event_id: Integer,
  type: Schema.String,
  created_at: Field.withDescription("when the event happened", Timestamp),
  state: Field.withDescription(
    "taken if the endpoint responded with 2xx, failed if delivery stopped at this event, or waiting if the " +
      "event has not been sent yet",
    Schema.Literal("taken", "failed", "waiting")
  )
})

const makeOperation = PageOperation.makePageOperations("staff")

/**
 * Shows owners the delivery state of events. Events are delivered in order, so the state of each event follows from the
 * endpoint's cursor.
 */
export const staffWebhook = makeOperation("staff.webhook", {
  input: Schema.Struct({
    id: Field.withDescription("the webhook", Field.uuid),
    before: Field.describedOptional("only events before this event ID", Field.integer(1, Number.MAX_SAFE_INTEGER))
  }),
  output: Schema.Struct({
    webhook: WebhookView,
    stopped: Field.withDescription(
      "whether delivery stopped after a failure. Delivery is retried every 5 minutes and when a new event arrives",
      Schema.Boolean
    ),
    waiting: Field.withDescription("the number of undelivered events, capped at 100", Integer),
    data: Field.withDescription(
      "events since the webhook was created, newest first",
      Schema.Array(DeliveryView)
    ),
    next_before: Schema.NullOr(Field.withDescription("the before value for the next request", Integer))
  }),
  refusals: ["not_found"]
})

export const deliveryOperations = [staffWebhook] as const

export const deliveryHandlers = Effect.gen(function*() {
  const events = yield* Events
  const queue = yield* DeliveryQueue
  const store = yield* WebhookStore
  return {
    "staff.webhook": ({ before, id }, { orgId }) =>
      Effect.gen(function*() {
        const webhookAndProgress = Option.all([yield* store.find({ orgId, id }), yield* store.progress({ orgId, id })])
        if (Option.isNone(webhookAndProgress)) return yield* notFound("webhook", id)
        const [webhook, { cursor, stoppedAt }] = webhookAndProgress.value
        const { events: waitingEvents } = yield* queue.pending(webhook, cursor, maxWaitingEvents)
        const failedId = stoppedAt === null ? undefined : waitingEvents[0]?.id
        const since = webhook.createdAt
        const page = yield* events.latest({ orgId, before, since, limit: pageSize })
        const isSubscribed = ({ type }: { readonly type: string }) =>
          webhook.events.includes("*") || webhook.events.includes(type)
        return {
          webhook: webhookView(webhook),
          stopped: stoppedAt !== null,
          waiting: waitingEvents.length,
          data: page.events.filter(isSubscribed).map(({ createdAt, id, type }) => ({
            event_id: id,
            type,
            created_at: Instant.format(createdAt),
            state: id <= cursor ? "taken" as const : id === failedId ? "failed" as const : "waiting" as const
          })),
          next_before: page.nextBefore ?? null
        }
      })
  } satisfies OperationHandlers<typeof deliveryOperations>
})

const maxWaitingEvents = 100
const pageSize = 50
