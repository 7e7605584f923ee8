import * as Layer from "effect/Layer"
import { Secrets } from "../port/Secrets.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** Provides the webhook ports for a service that has none. It rejects endpoints. Clients can still poll events. */
export const layerNone: Layer.Layer<Secrets | WebhookSender> = Layer.merge(
  Secrets.layerNone,
  WebhookSender.layerNone
)
