import type { Secrets } from "@trailbook/core/port"
import type { WebhookSender } from "@trailbook/core/webhook"
import * as HttpSender from "@trailbook/webhook/HttpSender"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Layer from "effect/Layer"
import { readVersion } from "../readVersion.ts"

/**
 * Returns the services that webhooks need in addition to storage: encryption, and a sender for public addresses and the
 * networks in `allow`.
 */
export const webhooksLayer = (
  keys: KeyRing.Keys,
  allow: ReadonlyArray<string>
): Layer.Layer<Secrets | WebhookSender> =>
  Layer.merge(KeyRing.layer(keys), HttpSender.layer({ allow, userAgent: `Trailbook/${readVersion()}` }))
