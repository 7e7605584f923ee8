import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { OrgKey } from "../offering/OfferingStore.ts"
import * as Event from "../port/Event.ts"
import { type SecretLocation, Secrets } from "../port/Secrets.ts"
import type { Instant } from "../time/Instant.ts"
import { withDescription } from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { exampleIds, Id, Integer, Timestamp } from "../wire/View.ts"

/**
 * The reasons for a failed delivery. They reveal nothing to tenants about the service's network. `connection` means
 * that the connection was refused or interrupted.
 */
export const deliveryFaults = ["dns", "blocked_address", "connection", "tls", "timeout", "status"] as const

export type DeliveryFault = (typeof deliveryFaults)[number]

/** An org's webhook endpoint. */
export interface Webhook {
  readonly id: string
  readonly orgId: string
  readonly url: string
  /** The subscribed event types, including unknown types. `*` means all event types. */
  readonly events: ReadonlyArray<string>
  readonly active: boolean
  /** The signing secret, encrypted by `Secrets`. */
  readonly sealedSecret: string
  readonly createdAt: Instant
  /** The HTTP status of the last delivery: 0 if there was no response, and null before the first delivery. */
  readonly lastStatus: number | null
  /** The error from the last delivery. Null if the delivery succeeded. */
  readonly lastError: DeliveryFault | null
  readonly lastAttemptAt: Instant | null
}

/** Returns the signing secret's location. */
export const getWebhookSecretLocation = ({ id, orgId }: Pick<Webhook, "id" | "orgId">): SecretLocation => ({
  table: "webhooks",
  orgId,
  id
})

/** An endpoint's position in its org's log. */
export interface DeliveryProgress {
  /** All events up to this ID were delivered or filtered out. */
  readonly cursor: number
  /** The ID of the org's newest event when a failure stopped the endpoint, or null if it is not stopped. */
  readonly stoppedAt: number | null
}

/** Stores the endpoints of all orgs and their positions in the log. `Deliveries` delivers events to the endpoints. */
export class WebhookStore extends Context.Tag("@trailbook/core/WebhookStore")<
  WebhookStore,
  {
    /**
     * Adds an endpoint. Its ID must be unique across all orgs, and its org must exist. A write that violates these
     * rules fails as a defect. The endpoint receives all events that are committed later. The org's event counter stays
     * locked until the transaction ends, so call `add` last.
     */
    readonly add: (webhook: Webhook) => Effect.Effect<void>
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<Webhook>>
    /** Returns the current position, regardless of claims. */
    readonly progress: (key: OrgKey) => Effect.Effect<Option.Option<DeliveryProgress>>
    /** Returns all endpoints in an org, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Webhook>>
    /** Removes an endpoint and returns whether it existed. The claim on a running delivery becomes void. */
    readonly remove: (key: OrgKey) => Effect.Effect<boolean>
    /**
     * Rewinds an endpoint, which immediately resumes with the first event after `after`. Returns whether the endpoint
     * exists. Its claim becomes void.
     */
    readonly rewind: (key: OrgKey, after: number) => Effect.Effect<boolean>
    /**
     * Returns the endpoints of all orgs with IDs greater than `after`, ordered by ID, so that a caller can process all
     * secrets page by page.
     */
    readonly page: (after: string, limit: number) => Effect.Effect<ReadonlyArray<Webhook>>
    /** Replaces the encrypted secret, unless it was changed concurrently. */
    readonly reseal: (webhook: Webhook, sealedSecret: string) => Effect.Effect<void>
  }
>() {}

/** The API representation of a webhook endpoint. The secret is returned only when the endpoint is created. */
export const WebhookView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.webhook),
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

export const webhookView: (value: Webhook) => WebhookView = makeViewMapper(WebhookView)

/** The test event, which is sent to endpoints but is not in the event log. */
export const webhookTestEvent = Event.make("webhook.test", {
  data: WebhookView,
  when: "An operator runs `trailbook webhooks test`. The event has the ID 0 and is not in the event log."
})

/** A POST request to a receiver. */
export interface Delivery {
  readonly webhookId: string
  readonly url: string
  /** The signing secret in plaintext. */
  readonly secret: string
  readonly eventId: number
  readonly eventType: string
  /** The JSON text to sign and send. */
  readonly body: string
  /** The time of the attempt, which the signature includes. */
  readonly at: Instant
}

/** The response status, or why there is none. */
export type SendResult =
  | { readonly _tag: "Answered"; readonly status: number }
  | { readonly _tag: "Unreachable"; readonly fault: Exclude<DeliveryFault, "status"> }

/**
 * Sends requests to tenants' URLs. It never connects to addresses in the internal network and does not follow
 * redirects. A request takes at most 5 seconds in total.
 */
export class WebhookSender extends Context.Tag("@trailbook/core/WebhookSender")<
  WebhookSender,
  {
    readonly send: (delivery: Delivery) => Effect.Effect<SendResult>
    /**
     * Returns undefined if a URL is acceptable. Otherwise, returns the problem, phrased to continue a sentence that
     * starts with the field name. A host name that does not resolve is accepted, because it may resolve later.
     */
    readonly findUrlProblem: (url: string) => Effect.Effect<string | undefined>
  }
>() {
  /** A sender that sends nothing. New endpoints are rejected, and existing ones receive no events. */
  static readonly layerNone = Layer.succeed(
    WebhookSender,
    WebhookSender.of({
      send: () => Effect.succeed({ _tag: "Unreachable", fault: "connection" }),
      findUrlProblem: () => Effect.succeed("cannot be used because this server does not send webhooks")
    })
  )
}

/**
 * Provides the webhook ports for a service without webhooks. Endpoints are rejected. Clients can still poll for events.
 */
export const layerNone: Layer.Layer<Secrets | WebhookSender> = Layer.merge(
  Secrets.layerNone,
  WebhookSender.layerNone
)

/**
 * A delivery's outcome: the event is delivered, or the endpoint stops at the event. The org sees `status`, where 0
 * means no response.
 */
export type DeliveryOutcome =
  | { readonly _tag: "Taken"; readonly status: number }
  | { readonly _tag: "Refused"; readonly status: number; readonly fault: DeliveryFault }

/** Treats any 2xx status as a success. Errors, redirects, other statuses, and missing responses are failures. */
export const classifyResponse = (answer: SendResult): DeliveryOutcome => {
  if (answer._tag === "Unreachable") return { _tag: "Refused", status: 0, fault: answer.fault }
  const { status } = answer
  return status >= 200 && status < 300
    ? { _tag: "Taken", status }
    : { _tag: "Refused", status, fault: "status" }
}
