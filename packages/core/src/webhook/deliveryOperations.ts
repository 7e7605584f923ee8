/**
 * Operations that show owners the delivery state of events. Events are delivered in order, so the state of each event
 * follows from the endpoint's cursor.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Events } from "../event/Events.ts"
import * as PageOperation from "../operation/PageOperation.ts"
import type { Handlers } from "../operation/Registry.ts"
import { notFound } from "../Refusal.ts"
import * as Instant from "../time/Instant.ts"
import * as Field from "../wire/Field.ts"
import { Integer, Timestamp } from "../wire/View.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import { WebhookStore, WebhookView, webhookView } from "./Webhook.ts"

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

export const staffWebhook = makeOperation("staff.webhook", {
  input: Schema.Struct({
    id: Field.withDescription("the webhook", Field.uuid),
    before: Field.optional(
      Field.withDescription("only events before this event ID", Field.integer(1, Number.MAX_SAFE_INTEGER))
    )
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
  } satisfies Handlers<typeof deliveryOperations>
})

const maxWaitingEvents = 100
const pageSize = 50
