import type { BookingCreateHook } from "@trailbook/core/booking/BookingCreateHook"
import type { BatchOptions } from "@trailbook/core/booking/write/BookingWriter"
import type { Drafter } from "@trailbook/core/conversation/Drafter"
import { FileLinks } from "@trailbook/core/conversation/FileLinks"
import { Attachments } from "@trailbook/core/file/Attachments"
import { Files } from "@trailbook/core/file/Files"
import type { Forecast } from "@trailbook/core/forecast/Forecast"
import type { RiverGauge } from "@trailbook/core/forecast/RiverGauge"
import { coreLayer } from "@trailbook/core/layer"
import { Payments } from "@trailbook/core/payment/online/Payments"
import type { Ids } from "@trailbook/core/port/Ids"
import { PublicUrl } from "@trailbook/core/port/PublicUrl"
import type { Secrets } from "@trailbook/core/port/Secrets"
import { layerNone } from "@trailbook/core/webhook/layerNone"
import type { WebhookSender } from "@trailbook/core/webhook/WebhookSender"
import * as Layer from "effect/Layer"

/** What the domain is given besides a storage; each may be left out. */
export interface EnginePorts<E1 = never, R1 = never, E2 = never, R2 = never, R3 = never, E3 = never> {
  /** No webhooks are sent without it. */
  readonly webhooks?: Layer.Layer<Secrets | WebhookSender, E2, R2> | undefined
  /** No provider is connected without it. */
  readonly payments?: Layer.Layer<Payments, E1, R1> | undefined
  /** With it nothing is sold that it refuses. */
  readonly gate?: Layer.Layer<BookingCreateHook, never, R3> | undefined
  /** Where files are kept; without it none are taken. */
  readonly files?: Layer.Layer<Files, E3> | undefined
  /** Who words drafts of replies; without it there are none. */
  readonly drafter?: Layer.Layer<Drafter> | undefined
  /** What the ops agent knows of the weather by; without it nothing, and no trip is cancelled over it. */
  readonly forecast?: Layer.Layer<Forecast> | undefined
  /** The same of rivers. */
  readonly gauges?: Layer.Layer<RiverGauge> | undefined
  /** The address that the service has for guests, without a slash at its end; links begin with their path without it. */
  readonly publicUrl?: string | undefined
}

/** The domain over a storage: every service and the registry. */
export const engine = <E1 = never, R1 = never, E2 = never, R2 = never, R3 = never, E3 = never>(
  ids: Layer.Layer<Ids>,
  desk: BatchOptions | "direct",
  ports: EnginePorts<E1, R1, E2, R2, R3, E3> = {}
) => {
  const {
    drafter,
    files = Files.layerNone,
    forecast,
    gate,
    gauges,
    payments = Payments.layerNone,
    publicUrl,
    webhooks = layerNone
  } = ports
  return coreLayer({ desk, gate }).pipe(
    Layer.provideMerge(Layer.provideMerge(FileLinks.layer, Attachments.layer)),
    // A program may have said it in a layer of its own.
    Layer.provide(drafter ?? Layer.empty),
    Layer.provide(publicUrl === undefined ? Layer.empty : Layer.succeed(PublicUrl, publicUrl)),
    Layer.provide(forecast ?? Layer.empty),
    Layer.provide(gauges ?? Layer.empty),
    Layer.provideMerge(Layer.mergeAll(ids, payments, webhooks, files))
  )
}
