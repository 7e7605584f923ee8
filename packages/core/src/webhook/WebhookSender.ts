import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "../time/Instant.ts"
import type { DeliveryFault } from "./Webhook.ts"

/**
 * One POST to a receiver.
 *
 * @category models
 */
export interface Delivery {
  readonly webhookId: string
  readonly url: string
  /** The signing secret, as it was shown once. */
  readonly secret: string
  readonly eventId: number
  readonly eventType: string
  /** The JSON text that is signed and sent. */
  readonly body: string
  /** When this attempt is made: it is part of the signature. */
  readonly at: Instant
}

/**
 * What came of it: the status line of the receiver or, without one, why.
 *
 * @category models
 */
export type Answer =
  | { readonly _tag: "Answered"; readonly status: number }
  | { readonly _tag: "Unreachable"; readonly fault: Exclude<DeliveryFault, "status"> }

/**
 * The way out to addresses that tenants name. It never reaches one that the
 * service's own network alone can reach, follows no redirect, and takes no
 * longer than 5 seconds for the whole of it.
 *
 * @category ports
 */
export class WebhookSender extends Context.Tag("@trailbook/core/WebhookSender")<
  WebhookSender,
  {
    readonly send: (delivery: Delivery) => Effect.Effect<Answer>
    /**
     * What is wrong with an address, as a sentence that goes on after the field's
     * name, or undefined. A name that does not resolve is not wrong: it may later.
     */
    readonly objection: (url: string) => Effect.Effect<string | undefined>
  }
>() {
  /** No way out: no endpoint can be added, and what others added is not reached. */
  static readonly layerNone = Layer.succeed(
    WebhookSender,
    WebhookSender.of({
      send: () => Effect.succeed({ _tag: "Unreachable", fault: "connection" }),
      objection: () => Effect.succeed("cannot be used: this service sends no webhooks")
    })
  )
}
