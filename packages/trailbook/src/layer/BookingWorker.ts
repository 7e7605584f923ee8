/** The background worker for Effect applications: email to guests, webhooks, refunds, and expired holds. */
import { TaskHandlers } from "@trailbook/core/handler"
import type { Mailer } from "@trailbook/core/mail"
import { makeWorkerJobs, type WorkerJobOptions } from "@trailbook/runtime/jobs"
import * as CheckInCodePng from "@trailbook/web/CheckInCodePng"
import * as Worker from "@trailbook/worker/Worker"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { parsePublicUrl } from "../embed/option/parseOptions.ts"
import type { Services } from "./BookingEngine.ts"
import { type MissingKey, verifyWebhookSecrets } from "./MissingKey.ts"
import { parseConfig } from "./parseConfig.ts"
import { withoutTenantScope } from "./withoutTenantScope.ts"

export interface Settings {
  /** The public URL for guests, such as `https://book.example.com`. Links in emails start with it. */
  readonly publicUrl: string
  /** How long running jobs may take to finish when the worker shuts down. Default: 10 seconds. */
  readonly grace?: Duration.DurationInput
}

/**
 * Runs the worker until the layer's scope closes. Any number of workers can share a database. The application's
 * `Mailer` sends the emails, and `subscribers` receive events.
 *
 * Fails with `MissingKey` if the worker cannot decrypt a webhook's secret. Otherwise, every delivery would fail, and
 * the failures would count against the webhook.
 *
 * @example
 * import { BookingWorker } from "trailbook/effect"
 *
 * const worker = BookingWorker.layer({ publicUrl: "https://book.example.com" })
 */
export const layer = (settings: Settings, work?: WorkerJobOptions): Layer.Layer<never, MissingKey, Services | Mailer> =>
  Layer.suspend(() => workerLayer({ ...settings, publicUrl: parsePublicUrl(settings.publicUrl) }, work))

/**
 * Like {@link layer}, with settings from `Config`.
 *
 * @example
 * import * as Config from "effect/Config"
 * import { BookingWorker } from "trailbook/effect"
 *
 * const worker = BookingWorker.layerConfig({ publicUrl: Config.string("PUBLIC_URL") })
 */
export const layerConfig = (
  config: Config.Config.Wrap<Settings>,
  work?: WorkerJobOptions
): Layer.Layer<never, ConfigError | MissingKey, Services | Mailer> =>
  Layer.unwrapEffect(Effect.map(
    parseConfig(
      Config.unwrap<Settings>(config),
      (settings) => ({ ...settings, publicUrl: parsePublicUrl(settings.publicUrl) })
    ),
    (settings) => workerLayer(settings, work)
  ))

const workerLayer = (
  { grace = "10 seconds", publicUrl }: Settings,
  work?: WorkerJobOptions
): Layer.Layer<never, MissingKey, Services | Mailer> =>
  Layer.scopedDiscard(
    withoutTenantScope(
      Effect.zipRight(verifyWebhookSecrets({ reseal: false }), Worker.start({ ...makeWorkerJobs(work), grace }))
    )
  )
    .pipe(
      Layer.provide(Layer.provide(TaskHandlers.layer({ publicUrl }), CheckInCodePng.layer))
    )
