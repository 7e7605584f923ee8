/** Runs the complete server: storage, domain, HTTP, and background jobs. */
import type { Bookings } from "@trailbook/core/booking"
import { OrgStore } from "@trailbook/core/org"
import type { Checkouts, Payments } from "@trailbook/core/payment"
import * as Handler from "@trailbook/http/handler"
import * as Health from "@trailbook/http/health"
import type { LogEntry } from "@trailbook/http/LogEntry"
import { paymentWebhookRoutes } from "@trailbook/http/paymentWebhookRoutes"
import {
  attachmentRoutes,
  imageUploadRoute,
  photoRoute,
  photoUploadRoute
} from "@trailbook/http/request/attachmentRoutes"
import { exportDownloadRoute } from "@trailbook/http/response/exportDownloadRoute"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Serve from "@trailbook/http/serve"
import { makeWorkerJobs } from "@trailbook/runtime/jobs"
import * as JsonLog from "@trailbook/runtime/JsonLog"
import type { LineWriter } from "@trailbook/runtime/LineWriter"
import type { DatabaseOpenError } from "@trailbook/runtime/loadAdapter"
import type { OperatorError } from "@trailbook/runtime/OperatorError"
import { draftsLayer } from "@trailbook/runtime/service/draftsLayer"
import { makeExportLinkCreator, makeGuestAssistant, makeMcpMount } from "@trailbook/runtime/service/mcpMount"
import { oauthTokenVerifier } from "@trailbook/runtime/service/oauthTokenVerifier"
import { makeReadinessCheck } from "@trailbook/runtime/service/readinessCheck"
import { staffPagesLayer } from "@trailbook/runtime/service/staffPagesLayer"
import { startMailReceivers } from "@trailbook/runtime/service/startMailReceivers"
import { makeWeatherLayers, type WeatherLayers } from "@trailbook/runtime/service/weatherLayers"
import { Database } from "@trailbook/sql/Database"
import type { StripeOptions } from "@trailbook/stripe/clients"
import { makeGuestPages, makeStaffPages } from "@trailbook/web"
import { frontRoutes } from "@trailbook/web/front/routes"
import * as Worker from "@trailbook/worker/Worker"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { buildDomainServices } from "./buildDomainServices.ts"
import { filesLayer } from "./filesLayer.ts"
import { explainListenError, getListenUrl } from "./listenAddress.ts"
import { mailerLayer } from "./mailerLayer.ts"
import { observeRequest, serveMetrics } from "./metrics.ts"
import type { CommandSettings } from "./setting/settings.ts"
import { makeClientAddressReader, makeIsProxy } from "./setting/trustedProxies.ts"
import type { UsageError } from "./setting/UsageError.ts"
import { tasksLayer } from "./tasksLayer.ts"
import { traceRequest, withTelemetry } from "./telemetry.ts"

/** The settings of `trailbook serve` and the log writer. */
export interface ServerOptions extends Omit<CommandSettings<"serve">, "json" | "logFormat"> {
  readonly log: LineWriter
  /** Replaces the connected payment accounts. */
  readonly payments?: Layer.Layer<Payments>
  /** Additional routes, such as the demo's test checkout. There is no setting for them. */
  readonly ownRoutes?: Effect.Effect<ReadonlyArray<AnyRoute>, never, Bookings | Checkouts>
  /** Replaces the configured weather and river services. */
  readonly weather?: WeatherLayers
  /** Stripe's address, for tests. */
  readonly stripe?: StripeOptions
  /** Whether startup waits for an unavailable database. The server responds to probes while it waits. */
  readonly awaitsDatabase?: boolean
  /** Set if a person started the server. Returns the command for starting it on another port. */
  readonly withPort?: (port: number) => string
}

export interface RunningServer {
  /** The listen URL, such as `http://127.0.0.1:4000`. */
  readonly origin: string
  /** The API root with its version: `{origin}/v1`. */
  readonly baseUrl: string
  /** Whether the database has no outfitters. */
  readonly isEmpty: boolean
}

/**
 * Migrates the database and serves it until the scope closes. After the shutdown delay, the server accepts no more
 * requests. Running requests and the worker's jobs then finish concurrently within the grace period.
 */
export const runServer = (
  options: ServerOptions
): Effect.Effect<RunningServer, OperatorError | UsageError | DatabaseOpenError, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const grace = Duration.seconds(options.shutdownGraceSeconds)
    const writeLog = makeRequestLog(options)
    const isMeasured = options.metricsPort !== undefined || options.otlpEndpoint !== undefined
    const log = !isMeasured ? writeLog : (entry: LogEntry): void => {
      observeRequest(entry)
      writeLog(entry)
    }
    const publicUrl = options.publicUrl ?? (options.port === 0 ? undefined : getListenUrl(options))
    const domain = yield* buildDomainServices({
      ...options,
      files: filesLayer(options),
      drafter: draftsLayer(options),
      weather: options.weather ?? makeWeatherLayers(options),
      whileAway: options.awaitsDatabase === true ? serveProbes(options) : undefined,
      publicUrl
    })
    const state = { isClosed: false }
    // The domain is built before this finalizer is added. Finalizers run in reverse order, so the domain closes after
    // this one runs.
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        state.isClosed = true
      })
    )
    const staffServices = yield* Layer.build(
      Layer.provide(staffPagesLayer(mailerLayer(options), options.webhookAllow), Layer.succeedContext(domain))
    )
    const currentOrg = yield* Effect.provide(soleOrg, domain)
    const handler = yield* Effect.gen(function*() {
      const ready = yield* makeReadinessCheck
      const tokens = yield* oauthTokenVerifier
      const exportLink = yield* makeExportLinkCreator(publicUrl)
      const guestPages = yield* makeGuestPages(options, yield* makeGuestAssistant(publicUrl))
      return yield* Handler.make({
        ready,
        live: Effect.sync(() => !state.isClosed),
        mounts: [yield* makeMcpMount(options.publicUrl, tokens, options.assistantConfirmations, exportLink)],
        routes: [
          yield* exportDownloadRoute,
          ...yield* attachmentRoutes,
          yield* photoUploadRoute,
          yield* imageUploadRoute,
          yield* photoRoute,
          ...yield* paymentWebhookRoutes,
          ...yield* makeStaffPages(options),
          ...guestPages.routes,
          ...frontRoutes(currentOrg, options),
          ...yield* options.ownRoutes ?? Effect.succeed([])
        ],
        renderNotFound: guestPages.renderNotFound,
        rateLimit: { perSecond: options.rateLimitPerSecond },
        log,
        ...(options.otlpEndpoint === undefined ? {} : { trace: traceRequest }),
        ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl })
      })
    }).pipe(Effect.provide(Context.merge(domain, staffServices)))
    yield* Effect.provide(serveMetrics(options), domain)
    const mail = yield* Effect.provide(startMailReceivers(options), domain)
    // The worker's resources, such as SMTP connections, must outlive the worker.
    const taskScope = yield* Scope.fork(scope, ExecutionStrategy.sequential)
    const serviceScope = yield* Scope.fork(scope, ExecutionStrategy.parallel)
    const address = yield* Scope.extend(
      Serve.listen({
        handler: mail.mount(handler),
        host: options.host,
        port: options.port,
        maxConnections: options.maxConnections,
        isProxy: makeIsProxy(options.trustProxy),
        remoteAddressOf: makeClientAddressReader(options.trustProxy, () => warnAboutProxy(options)),
        log,
        delay: Duration.seconds(options.shutdownDelaySeconds),
        grace
      }),
      serviceScope
    ).pipe(Effect.catchAll((error) => explainListenError(error, options.host, options.withPort)))
    const origin = getListenUrl(address)
    if (options.worker === "on") {
      // Links in emails need the public URL. With `--port 0`, the URL is known only once the server listens.
      const tasks = yield* Layer.buildWithScope(tasksLayer(options, options.publicUrl ?? origin), taskScope).pipe(
        Effect.provide(domain)
      )
      yield* Scope.extend(Worker.start({ ...makeWorkerJobs(options), grace }), serviceScope).pipe(
        Effect.provide(tasks),
        Effect.provide(domain)
      )
      // Only a server with a worker receives mail, because only one of several servers can use the listen address.
      yield* Scope.extend(mail.listen, serviceScope)
    }
    return { origin, baseUrl: `${origin}/v1`, isEmpty: (yield* currentOrg) === "none" }
  }).pipe(withTelemetry(options), Effect.provide(JsonLog.layer(options.log, options.logLevel)))

/** Responds to probes during startup. Without a fixed port, does nothing, because no probe can find the listener. */
const serveProbes = ({ host, port, withPort }: ServerOptions) =>
  port === 0
    ? Effect.void
    : Effect.catchAll(Serve.listen({ handler: Health.startupHandler, host, port }), (error) =>
      explainListenError(error, host, withPort))

/** Writes request log lines directly, because Effect's logger would take up a large share of a request's time. */
const makeRequestLog = ({ log, logLevel }: ServerOptions) => (entry: { readonly level: JsonLog.Level }): void => {
  if (JsonLog.isLevelEnabled(entry.level, logLevel)) log.write(JSON.stringify(entry))
}

const warnAboutProxy = ({ log, logLevel }: ServerOptions): void => {
  if (!JsonLog.isLevelEnabled("warn", logLevel)) return
  const message = "X-Forwarded-For ignored because no proxy is trusted. All clients behind a proxy share one rate " +
    "limit. Set --trust-proxy to trust the proxy"
  log.write(JsonLog.formatEntry(new Date(), "warn", message, {}))
}

/**
 * Returns the only outfitter in a database. If the database has several, returns no names, because they are private.
 */
const soleOrg = Effect.gen(function*() {
  const { dialect, query } = yield* Database
  const { find } = yield* OrgStore
  return Effect.gen(function*() {
    const [first, second] = yield* query<{ readonly id: string }>(`select id from ${dialect.table("orgs")} limit 2`)
    if (first === undefined) return "none" as const
    if (second !== undefined) return "several" as const
    return Option.match(yield* find(first.id), {
      onNone: () => "none" as const,
      onSome: ({ name, slug }) => ({ name, slug })
    })
  })
})
