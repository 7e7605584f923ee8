import type { Drafter } from "@trailbook/core/conversation/Drafter"
import type { Files } from "@trailbook/core/file/Files"
import type { Payments } from "@trailbook/core/payment/online/Payments"
import { PaymentWebhooks } from "@trailbook/core/payment/online/PaymentWebhooks"
import type { StripeOptions } from "@trailbook/stripe/clients"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { UsageError } from "../command/CommandError.ts"
import { adapter } from "../runtime/adapter.ts"
import { engine } from "../runtime/engine.ts"
import * as NodeIds from "../runtime/NodeIds.ts"
import { type KeySettings, loadKeys } from "../secrets/loadKeys.ts"
import { verifySecrets } from "../secrets/verifySecrets.ts"
import { connectedAccounts } from "./connectedAccounts.ts"
import type { WeatherLayer } from "./weatherLayer.ts"
import { webhooksLayer } from "./webhooksLayer.ts"

/** What the domain is put together from. */
export interface DomainOptions extends KeySettings {
  /** Where the files of messages are; without it none are taken. */
  readonly files?: Layer.Layer<Files, UsageError>
  /** Who words drafts; without it there are none. */
  readonly drafter?: Layer.Layer<Drafter> | undefined
  /** Networks that webhooks may lead to although they are not public. */
  readonly webhookAllow: ReadonlyArray<string> | undefined
  /** In place of the accounts that outfitters have connected. */
  readonly payments?: Layer.Layer<Payments>
  /** Where Stripe is, for tests. */
  readonly stripe?: StripeOptions | undefined
  /** The address that guests know; links in texts begin with their path without it. */
  readonly publicUrl?: string | undefined
  /** Who is asked for the weather, and for the rivers; nobody when nothing is said. */
  readonly sky?: Partial<WeatherLayer> | undefined
}

/**
 * Brings the database up to date and makes the domain over it, for a server or a
 * worker. It refuses when a secret in the database cannot be opened with the
 * keys.
 */
export const domainLayer = (options: DomainOptions) =>
  Effect.gen(function*() {
    const allow = options.webhookAllow ?? []
    const { desk, storage } = yield* adapter(options.database)
    const stored = yield* Layer.build(storage)
    const keys = yield* loadKeys(options)
    const webhooks = webhooksLayer(keys, allow)
    const accounts = connectedAccounts(webhooks, options)
    const domain = yield* Layer.build(
      PaymentWebhooks.layer.pipe(
        Layer.provideMerge(
          // By name: who hands over all their settings has others that are called the same.
          engine(NodeIds.layer, desk, {
            drafter: options.drafter,
            files: options.files,
            publicUrl: options.publicUrl,
            ...options.sky,
            payments: options.payments ?? accounts,
            webhooks
          })
        ),
        Layer.provideMerge(accounts),
        Layer.provideMerge(Layer.succeedContext(stored))
      )
    )
    const { older } = yield* Effect.provide(verifySecrets({ reseal: true }), domain)
    if (older > 0) {
      yield* Effect.annotateLogs(Effect.logInfo("Secrets were sealed again with the first key."), { n: older })
    }
    if (allow.length > 0) {
      yield* Effect.annotateLogs(
        Effect.logWarning("Webhooks may lead into networks that are not public, also over http."),
        { networks: allow.join(",") }
      )
    }
    return domain
  })
