import type { Secrets } from "@trailbook/core/port"
import type { WebhookSender } from "@trailbook/core/webhook"
import { webhooksLayer } from "@trailbook/runtime/service/webhooksLayer"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { parseWebhookKeys } from "../embed/option/parseOptions.ts"
import { parseConfig } from "./parseConfig.ts"

export interface Settings {
  /**
   * The keys that encrypt signing secrets, in the format that `trailbook secrets generate` prints. If there are several
   * keys, the first one encrypts new secrets.
   */
  readonly keys: string | Redacted.Redacted
  /** Non-public networks that webhooks may target, such as `10.0.0.0/8`. */
  readonly allow?: ReadonlyArray<string>
}

/**
 * Provides the keys for webhook secrets and a sender that connects only to public addresses. Invalid keys are a defect.
 * For keys from the configuration, use {@link layerConfig}.
 */
export const layer = (settings: Settings): Layer.Layer<Secrets | WebhookSender> =>
  Layer.suspend(() => webhooksFrom(settings))

/**
 * Like {@link layer}, with settings from `Config`. Invalid keys are a `ConfigError`.
 *
 * @example
 * import * as Config from "effect/Config"
 * import { Webhooks } from "trailbook/effect"
 *
 * const webhooks = Webhooks.layerConfig({ keys: Config.redacted("WEBHOOK_KEYS") })
 */
export const layerConfig = (
  config: Config.Config.Wrap<Settings>
): Layer.Layer<Secrets | WebhookSender, ConfigError> =>
  Layer.unwrapEffect(parseConfig(Config.unwrap<Settings>(config), webhooksFrom))

const webhooksFrom = ({ allow = [], keys }: Settings): Layer.Layer<Secrets | WebhookSender> =>
  webhooksLayer(parseWebhookKeys(Redacted.isRedacted(keys) ? Redacted.value(keys) : keys), allow)
