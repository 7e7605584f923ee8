import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Secrets } from "../port/Secrets.ts"
import type { Instant } from "../time/Instant.ts"
import type { DeliveryFault } from "./Webhook.ts"

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
  /** The time of the attempt, which is signed. */
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
