import type { Drafter } from "@trailbook/core/conversation/draft/Drafter"
import type { Files } from "@trailbook/core/file/Files"
import type { Payments } from "@trailbook/core/payment/online/Payments"
import { PaymentWebhooks } from "@trailbook/core/payment/online/PaymentWebhooks"
import type { StripeOptions } from "@trailbook/stripe/clients"
import type { GuestQuotaOptions } from "@trailbook/web/guest/quota"
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

export interface DomainOptions extends KeySettings, GuestQuotaOptions {
  /** The file storage. Without it, attachments are rejected. */
  readonly files?: Layer.Layer<Files, UsageError>
  /** The language model. Without it, drafts are off. */
  readonly drafter?: Layer.Layer<Drafter> | undefined
  /** Private networks that webhooks can be sent to. */
  readonly webhookAllow: ReadonlyArray<string> | undefined
  /** Replaces the connected payment accounts. */
  readonly payments?: Layer.Layer<Payments>
  /** The address of Stripe, for tests. */
  readonly stripe?: StripeOptions | undefined
  /** The public URL. Without it, links in texts are relative paths. */
  readonly publicUrl?: string | undefined
  /** The weather and river services. Default: none. */
  readonly sky?: Partial<WeatherLayer> | undefined
}

/**
 * Migrates the database and builds the domain services on it, for a server or a worker. Fails if a secret in the
 * database cannot be decrypted with the keys.
 */
export const domainLayer = (options: DomainOptions) =>
  Effect.gen(function*() {
    const allow = options.webhookAllow ?? []
    const { batches, storage } = yield* adapter(options.database)
    const stored = yield* Layer.build(storage)
    const keys = yield* loadKeys(options)
    const webhooks = webhooksLayer(keys, allow)
    const accounts = connectedAccounts(webhooks, options)
    const domain = yield* Layer.build(
      PaymentWebhooks.layer.pipe(
        Layer.provideMerge(
          // Passed one by one, because the settings of callers have fields with the same names.
          engine(NodeIds.layer, batches, {
            drafter: options.drafter,
            files: options.files,
            guestQuota: options,
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
      yield* Effect.annotateLogs(Effect.logInfo("Secrets encrypted again with the first key"), { n: older })
    }
    if (allow.length > 0) {
      yield* Effect.annotateLogs(
        Effect.logWarning("Webhooks to private networks are allowed, also over http"),
        { networks: allow.join(",") }
      )
    }
    return domain
  })
