import type { BatchOptions, BookingCreateHook } from "@trailbook/core/booking"
import { type Drafter, FileLinks, type GuestQuota as Quota } from "@trailbook/core/conversation"
import { Attachments, Files } from "@trailbook/core/file"
import type { Forecast, RiverGauge } from "@trailbook/core/forecast"
import { coreLayer, type CoreServices } from "@trailbook/core/layer"
import { Payments } from "@trailbook/core/payment"
import { type Ids, PublicUrl, type Secrets } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { layerNone, type WebhookSender } from "@trailbook/core/webhook"
import * as GuestQuota from "@trailbook/web/guest/GuestQuota"
import * as Layer from "effect/Layer"

/** The domain's optional external services. */
export interface EnginePorts<E1 = never, R1 = never, E2 = never, R2 = never, R3 = never, E3 = never> {
  /** Encrypts webhook secrets and sends webhooks. If omitted, no webhooks are sent. */
  readonly webhooks?: Layer.Layer<Secrets | WebhookSender, E2, R2> | undefined
  /** Online payment. If omitted, no payment provider is connected. */
  readonly payments?: Layer.Layer<Payments, E1, R1> | undefined
  /** A custom rule that each booking must pass. */
  readonly gate?: Layer.Layer<BookingCreateHook, never, R3> | undefined
  /** File storage. If omitted, no files are accepted. */
  readonly files?: Layer.Layer<Files, E3> | undefined
  /** Writes reply drafts. If omitted, drafts are off. */
  readonly drafter?: Layer.Layer<Drafter> | undefined
  /** Weather forecasts for the ops agent. If omitted, trips are never canceled because of the weather. */
  readonly forecast?: Layer.Layer<Forecast> | undefined
  /** River gauges for the ops agent. */
  readonly gauges?: Layer.Layer<RiverGauge> | undefined
  /** Daily limits on guests' messages and files. */
  readonly guestQuota?: GuestQuota.GuestQuotaOptions | undefined
  /** The public URL for guests, without a trailing slash. If omitted, links are relative paths. */
  readonly publicUrl?: string | undefined
}

export type EngineServices =
  | CoreServices
  | Attachments
  | FileLinks
  | Files
  | Ids
  | Payments
  | Quota
  | Secrets
  | WebhookSender

/** Builds the domain on top of a storage layer: all services and the operation registry. */
export const engineLayer = <E1 = never, R1 = never, E2 = never, R2 = never, R3 = never, E3 = never>(
  ids: Layer.Layer<Ids>,
  batches: BatchOptions | "none",
  ports: EnginePorts<E1, R1, E2, R2, R3, E3> = {}
): Layer.Layer<EngineServices, E1 | E2 | E3, R1 | R2 | R3 | Storage> => {
  const {
    drafter,
    files = Files.layerNone,
    forecast,
    gate,
    gauges,
    guestQuota = {},
    payments = Payments.layerNone,
    publicUrl,
    webhooks = layerNone
  } = ports
  return coreLayer({ batches, gate }).pipe(
    Layer.provideMerge(Layer.provideMerge(FileLinks.layer, Attachments.layer)),
    // An empty layer lets the application provide the service.
    Layer.provide(drafter ?? Layer.empty),
    Layer.provide(publicUrl === undefined ? Layer.empty : Layer.succeed(PublicUrl, publicUrl)),
    Layer.provide(forecast ?? Layer.empty),
    Layer.provide(gauges ?? Layer.empty),
    Layer.provideMerge(Layer.mergeAll(ids, payments, webhooks, files, GuestQuota.layer(guestQuota)))
  )
}
