import type { Secrets } from "@trailbook/core/port/Secrets"
import type { WebhookSender } from "@trailbook/core/webhook/WebhookSender"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { parseKeys } from "../embed/parseOptions.ts"
import { webhooksLayer } from "../server/webhooksLayer.ts"
import { orConfigError } from "./orConfigError.ts"

export interface Settings {
  /** What signing secrets are sealed with, as `trailbook secrets generate` makes it; the first of several seals. */
  readonly keys: string | Redacted.Redacted
  /** Networks such as `10.0.0.0/8` that webhooks may lead to although they are not public. */
  readonly allow?: ReadonlyArray<string>
}

/**
 * What webhooks need: keys for their secrets, and a way out that leads to public
 * addresses. Keys that are none are a defect; where they come from the
 * configuration use {@link layerConfig}.
 */
export const layer = (settings: Settings): Layer.Layer<Secrets | WebhookSender> => Layer.suspend(() => opened(settings))

/**
 * The same, with settings that are read from the program's configuration.
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
  Layer.unwrapEffect(orConfigError(Config.unwrap<Settings>(config), opened))

const opened = ({ allow = [], keys }: Settings): Layer.Layer<Secrets | WebhookSender> =>
  webhooksLayer(parseKeys(Redacted.isRedacted(keys) ? Redacted.value(keys) : keys), allow)
