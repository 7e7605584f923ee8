import * as Layer from "effect/Layer"
import { Secrets } from "../port/Secrets.ts"
import { WebhookSender } from "./WebhookSender.ts"

/**
 * For a service that pushes no events: endpoints are refused, and events are
 * there to be polled.
 *
 * @category layers
 */
export const layerNone: Layer.Layer<Secrets | WebhookSender> = Layer.merge(
  Secrets.layerNone,
  WebhookSender.layerNone
)
