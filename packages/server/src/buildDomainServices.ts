import type { Drafter } from "@trailbook/core/conversation"
import type { Files } from "@trailbook/core/file"
import {
  ConnectedPayments,
  PaymentConnections,
  type PaymentProvider,
  type Payments,
  PaymentWebhooks
} from "@trailbook/core/payment"
import { PublicUrl, type Secrets } from "@trailbook/core/port"
import { engineLayer, type EngineServices } from "@trailbook/runtime/engineLayer"
import {
  type DatabaseOpenError,
  loadAdapter,
  type StorageAdapter,
  type StorageServices
} from "@trailbook/runtime/loadAdapter"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import type { OperatorError } from "@trailbook/runtime/OperatorError"
import { verifySecrets } from "@trailbook/runtime/service/verifySecrets"
import type { WeatherLayers } from "@trailbook/runtime/service/weatherLayers"
import { webhooksLayer } from "@trailbook/runtime/service/webhooksLayer"
import type { PostgresUrl } from "@trailbook/runtime/setting/databaseUrl"
import { StripeProvider } from "@trailbook/stripe"
import type { StripeOptions } from "@trailbook/stripe/clients"
import type { GuestQuotaOptions } from "@trailbook/web/guest/GuestQuota"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { type EncryptionKeySettings, loadEncryptionKeys } from "./secrets/loadEncryptionKeys.ts"
import type { UsageError } from "./setting/UsageError.ts"

export interface DomainOptions extends EncryptionKeySettings, GuestQuotaOptions {
  /** A standby database that serves lists, searches, reports, and availability. */
  readonly databaseReplica?: PostgresUrl | undefined
  /** The file storage. Without it, attachments are rejected. */
  readonly files?: Layer.Layer<Files, UsageError>
  /** The language model. Without it, drafts are off. */
  readonly drafter?: Layer.Layer<Drafter> | undefined
  /** Private networks that webhooks can be sent to. */
  readonly webhookAllow: ReadonlyArray<string> | undefined
  /** Replaces the connected payment accounts. */
  readonly payments?: Layer.Layer<Payments>
  /** Stripe's address, for tests. */
  readonly stripe?: StripeOptions | undefined
  /** The public URL. Without it, links in messages are relative paths. */
  readonly publicUrl?: string | undefined
  /** The weather and river services. Default: none. */
  readonly weather?: Partial<WeatherLayers> | undefined
  /** Runs while the server waits for an unavailable database at startup. If omitted, startup fails instead. */
  readonly whileAway?: Effect.Effect<unknown, OperatorError, Scope.Scope> | undefined
}

/**
 * Migrates the database and builds its domain services, for a server or a worker. Fails if a secret in the database
 * cannot be decrypted with the keys.
 */
export const buildDomainServices = (
  options: DomainOptions
): Effect.Effect<
  Context.Context<EngineServices | PaymentConnections | PaymentProvider | PaymentWebhooks | StorageServices>,
  OperatorError | UsageError | DatabaseOpenError,
  Scope.Scope
> =>
  Effect.gen(function*() {
    const allowedNetworks = options.webhookAllow ?? []
    const loadedAdapter = yield* loadAdapter(options.database, options.databaseReplica)
    const storage = yield* buildStorage(loadedAdapter, options.whileAway)
    const keys = yield* loadEncryptionKeys(options)
    const webhooks = webhooksLayer(keys, allowedNetworks)
    const accounts = connectedAccountsLayer(webhooks, options)
    const domain = yield* Layer.build(
      PaymentWebhooks.layer.pipe(
        Layer.provideMerge(
          // Pass each option by name, because callers' settings have other fields with the same names.
          engineLayer(NodeIds.layer, loadedAdapter.batches, {
            drafter: options.drafter,
            files: options.files,
            guestQuota: options,
            publicUrl: options.publicUrl,
            ...options.weather,
            payments: options.payments ?? accounts,
            webhooks
          })
        ),
        Layer.provideMerge(accounts),
        Layer.provideMerge(Layer.succeedContext(storage))
      )
    )
    const { older } = yield* Effect.provide(verifySecrets({ reseal: true }), domain)
    if (older > 0) {
      yield* Effect.annotateLogs(Effect.logInfo("Secrets re-encrypted with the first key"), { n: older })
    }
    if (allowedNetworks.length > 0) {
      yield* Effect.annotateLogs(
        Effect.logWarning("Webhooks to private networks are allowed, including over http"),
        { networks: allowedNetworks.join(",") }
      )
    }
    return domain
  })

/**
 * Opens the database. If it is unavailable, waits with backoff, so that servers and databases can start in any order.
 */
const buildStorage = (
  loadedAdapter: StorageAdapter,
  whileAway: DomainOptions["whileAway"]
): Effect.Effect<Context.Context<StorageServices>, DatabaseOpenError | OperatorError, Scope.Scope> =>
  Effect.catchAll(Layer.build(loadedAdapter.storage), (error) => {
    if (whileAway === undefined || !isAway(error)) return Effect.fail(error)
    return Effect.gen(function*() {
      yield* Effect.annotateLogs(Effect.logWarning("Waiting for the database"), { error: error.message })
      const waitForDatabase = Effect.retry(Effect.delay(loadedAdapter.pending, "250 millis"), {
        schedule: backoff,
        while: isAway
      })
      yield* Effect.scoped(Effect.zipRight(whileAway, waitForDatabase))
      return yield* buildStorage(loadedAdapter, whileAway)
    })
  })

const isAway = (error: DatabaseOpenError): boolean => error._tag === "CannotConnect" && error.isAway

const backoff = Schedule.union(Schedule.exponential("250 millis"), Schedule.spaced("5 seconds"))

/** Provides online payment with connected accounts. The first use loads Stripe's library. */
export const connectedAccountsLayer = (
  secrets: Layer.Layer<Secrets>,
  { publicUrl, stripe }: { readonly publicUrl?: string | undefined; readonly stripe?: StripeOptions | undefined } = {}
) =>
  ConnectedPayments.layer.pipe(
    Layer.provide(publicUrl === undefined ? Layer.empty : Layer.succeed(PublicUrl, publicUrl)),
    Layer.provideMerge(PaymentConnections.layer),
    Layer.provideMerge(StripeProvider.layer(stripe)),
    Layer.provide(secrets),
    Layer.provide(NodeIds.layer)
  )
