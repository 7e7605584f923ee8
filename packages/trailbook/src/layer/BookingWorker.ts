/**
 * What an engine does by itself, for a program that uses Effect: mails to guests,
 * webhooks, refunds, and holds that ran out.
 */
import * as TaskHandlers from "@trailbook/core/handler/TaskHandlers"
import type { Mailer } from "@trailbook/core/mail/Mailer"
import * as Worker from "@trailbook/worker/Worker"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { parseAddress } from "../embed/parseOptions.ts"
import { makeWork, type Work } from "../runtime/jobs.ts"
import type { Services } from "./BookingEngine.ts"
import { type MissingKey, secretsOpen } from "./MissingKey.ts"
import { orConfigError } from "./orConfigError.ts"
import { withoutTenantScope } from "./withoutTenantScope.ts"

export interface Settings {
  /** Where guests reach the service, such as `https://book.example.com`. Links in mails begin with it. */
  readonly publicUrl: string
  /** How long what is under way may take to come to its end; 10 seconds when nothing is said. */
  readonly grace?: Duration.DurationInput
}

/**
 * Works until the layer's scope closes, beside any number of others on the same
 * database. Mails leave by the program's own `Mailer`; `subscribers` in the program
 * are told of events.
 *
 * It refuses to work where webhooks wait whose secrets do not open: an attempt that
 * can only fail would count against them.
 *
 * @example
 * import { BookingWorker } from "trailbook/effect"
 *
 * const worker = BookingWorker.layer({ publicUrl: "https://book.example.com" })
 */
export const layer = (settings: Settings, work?: Work): Layer.Layer<never, MissingKey, Services | Mailer> =>
  Layer.suspend(() => working({ ...settings, publicUrl: parseAddress(settings.publicUrl) }, work))

/**
 * The same, with settings that are read from the program's configuration.
 *
 * @example
 * import * as Config from "effect/Config"
 * import { BookingWorker } from "trailbook/effect"
 *
 * const worker = BookingWorker.layerConfig({ publicUrl: Config.string("PUBLIC_URL") })
 */
export const layerConfig = (
  config: Config.Config.Wrap<Settings>,
  work?: Work
): Layer.Layer<never, ConfigError | MissingKey, Services | Mailer> =>
  Layer.unwrapEffect(Effect.map(
    orConfigError(
      Config.unwrap<Settings>(config),
      (settings) => ({ ...settings, publicUrl: parseAddress(settings.publicUrl) })
    ),
    (settings) => working(settings, work)
  ))

const working = (
  { grace = "10 seconds", publicUrl }: Settings,
  work?: Work
): Layer.Layer<never, MissingKey, Services | Mailer> =>
  Layer.scopedDiscard(
    withoutTenantScope(Effect.zipRight(secretsOpen({ reseal: false }), Worker.start({ ...makeWork(work), grace })))
  )
    .pipe(
      Layer.provide(TaskHandlers.layer({ publicUrl }))
    )
