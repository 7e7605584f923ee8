/**
 * @since 0.1.0
 */
import type { DeskOptions } from "@trailbook/core/booking/BookingDesk"
import { Payments } from "@trailbook/core/booking/Payments"
import * as Operations from "@trailbook/core/operation/layer"
import type { Ids } from "@trailbook/core/port/Ids"
import type { Secrets } from "@trailbook/core/port/Secrets"
import type { WebhookSender } from "@trailbook/core/webhook/WebhookSender"
import { withoutWebhooks } from "@trailbook/core/webhook/withoutWebhooks"
import * as Layer from "effect/Layer"

/**
 * The domain over a storage: every service and the registry. No webhooks are
 * sent and no payment provider is connected unless it is given a way to.
 *
 * @since 0.1.0
 * @category layers
 */
export const engine = (
  ids: Layer.Layer<Ids>,
  desk: DeskOptions | "direct",
  webhooks: Layer.Layer<Secrets | WebhookSender> = withoutWebhooks,
  payments: Layer.Layer<Payments> = Payments.layerNone
) =>
  Operations.layer({ desk }).pipe(
    Layer.provideMerge(Layer.mergeAll(ids, payments, webhooks))
  )
