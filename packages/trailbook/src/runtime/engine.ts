import type { DeskOptions } from "@trailbook/core/booking/BookingDesk"
import type { BookingGate } from "@trailbook/core/booking/BookingGate"
import { Payments } from "@trailbook/core/booking/Payments"
import { Attachments } from "@trailbook/core/file/Attachments"
import { Files } from "@trailbook/core/file/Files"
import * as Operations from "@trailbook/core/operation/layer"
import type { Ids } from "@trailbook/core/port/Ids"
import type { Secrets } from "@trailbook/core/port/Secrets"
import type { WebhookSender } from "@trailbook/core/webhook/WebhookSender"
import { withoutWebhooks } from "@trailbook/core/webhook/withoutWebhooks"
import * as Layer from "effect/Layer"

/**
 * The domain over a storage: every service and the registry. No webhooks are
 * sent and no payment provider is connected unless it is given a way to. With a
 * gate nothing is sold past it. Without a place for files none are taken.
 *
 * @category layers
 */
export const engine = <E1 = never, R1 = never, E2 = never, R2 = never, R3 = never, E3 = never>(
  ids: Layer.Layer<Ids>,
  desk: DeskOptions | "direct",
  webhooks: Layer.Layer<Secrets | WebhookSender, E2, R2> = withoutWebhooks,
  payments: Layer.Layer<Payments, E1, R1> = Payments.layerNone,
  gate?: Layer.Layer<BookingGate, never, R3>,
  files: Layer.Layer<Files, E3> = Files.layerNone
) =>
  Operations.layer({ desk, gate }).pipe(
    Layer.merge(Attachments.layer),
    Layer.provideMerge(Layer.mergeAll(ids, payments, webhooks, files))
  )
