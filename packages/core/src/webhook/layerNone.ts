import * as Layer from "effect/Layer"
import { Secrets } from "../port/Secrets.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** For a service without webhooks: endpoints are rejected. Events can still be polled. */
export const layerNone: Layer.Layer<Secrets | WebhookSender> = Layer.merge(
  Secrets.layerNone,
  WebhookSender.layerNone
)
