/** The server put together: storage, domain, HTTP and what runs by itself. */
import type { Bookings } from "@trailbook/core/booking/Bookings"
import type { Checkouts } from "@trailbook/core/payment/online/Checkouts"
import type { Payments } from "@trailbook/core/payment/online/Payments"
import { attachments } from "@trailbook/http/attachments"
import * as Handler from "@trailbook/http/handler"
import { paymentNotices } from "@trailbook/http/paymentNotices"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Serve from "@trailbook/http/serve"
import type { StripeOptions } from "@trailbook/stripe/clients"
import { pages, staffPages } from "@trailbook/web"
import { frontRoutes } from "@trailbook/web/front/routes"
import * as Worker from "@trailbook/worker/Worker"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Failure, UsageError } from "../command/CommandError.ts"
import type { UnusableDatabase } from "../runtime/adapter.ts"
import { makeWork } from "../runtime/jobs.ts"
import * as JsonLog from "../runtime/JsonLog.ts"
import type { LineWriter } from "../runtime/LineWriter.ts"
import type { CommandSettings } from "../setting/settings.ts"
import { databaseAnswers } from "./databaseAnswers.ts"
import { domainLayer } from "./domainLayer.ts"
import { draftsLayer } from "./draftsLayer.ts"
import { failListen } from "./failListen.ts"
import { filesLayer } from "./filesLayer.ts"
import { grantTokens } from "./grantTokens.ts"
import { listenUrl } from "./listenUrl.ts"
import { mailerLayer } from "./mailerLayer.ts"
import { mailIn } from "./mailIn.ts"
import { mcpMount } from "./mcpMount.ts"
import { soleOrg } from "./soleOrg.ts"
import { staffPagesLayer } from "./staffPagesLayer.ts"
import { tasksLayer } from "./tasksLayer.ts"
import { isProxyBy, remoteAddressBy } from "./trustedProxies.ts"
import { type WeatherLayer, weatherLayer } from "./weatherLayer.ts"

/** What `trailbook serve` can be told, and where the log goes. */
export interface ServerOptions extends Omit<CommandSettings<"serve">, "json" | "logFormat"> {
  readonly log: LineWriter
  /** A payment provider in place of the accounts that outfitters have connected. */
  readonly payments?: Layer.Layer<Payments>
  /** Routes that no other server has, such as the demo's test till. No setting leads here. */
  readonly ownRoutes?: Effect.Effect<ReadonlyArray<AnyRoute>, never, Bookings | Checkouts>
  /** Who is asked for the weather, in the place of who is set. */
  readonly sky?: WeatherLayer
  /** Where Stripe is, for tests. */
  readonly stripe?: StripeOptions
  /** How to start with another port, where a person did that. */
  readonly withPort?: (port: number) => string
}

export interface RunningServer {
  /** Where it listens, such as `http://127.0.0.1:4000`. */
  readonly origin: string
  /** The root of the API, with its version: `{origin}/v1`. */
  readonly baseUrl: string
  /** The database has no outfitter yet. */
  readonly isEmpty: boolean
}

/**
 * Brings the database up to date and serves it until the scope closes. Then it
 * takes no more requests, lets those under way come to their end, and so does
 * the worker in it, both at once and within the grace.
 */
export const runServer = (
  options: ServerOptions
): Effect.Effect<RunningServer, Failure | UsageError | UnusableDatabase, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const grace = Duration.seconds(options.shutdownGraceSeconds)
    const log = requestLog(options)
    const domain = yield* domainLayer({
      ...options,
      files: filesLayer(options),
      drafter: draftsLayer(options),
      sky: options.sky ?? weatherLayer(options),
      publicUrl: options.publicUrl ?? (options.port === 0 ? undefined : listenUrl(options))
    })
    const { ownRoutes = Effect.succeed([]) } = options
    const life = { over: false }
    // The domain was made before, and so ends after this.
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        life.over = true
      })
    )
    const people = yield* Layer.build(
      Layer.provide(staffPagesLayer(mailerLayer(options), options.webhookAllow), Layer.succeedContext(domain))
    )
    const whose = yield* Effect.provide(soleOrg, domain)
    const handler = yield* Effect.provide(
      Effect.flatMap(
        Effect.all([
          databaseAnswers,
          Effect.flatMap(grantTokens, (tokens) => mcpMount(options.publicUrl, tokens)),
          attachments,
          paymentNotices,
          pages(options),
          staffPages(options),
          ownRoutes
        ]),
        ([ready, mcp, files, notices, site, staff, own]) =>
          Handler.make({
            ready,
            live: Effect.sync(() => !life.over),
            mounts: [mcp],
            routes: [...files, ...notices, ...site.routes, ...staff, ...frontRoutes(whose, options), ...own],
            lost: site.lost,
            rateLimit: { perSecond: options.rateLimitPerSecond },
            log,
            ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl })
          })
      ),
      Context.merge(domain, people)
    )
    const mail = yield* Effect.provide(mailIn(options), domain)
    // What the worker works with, such as connections to a mail server, is there until the worker has ended.
    const tools = yield* Scope.fork(scope, ExecutionStrategy.sequential)
    const ending = yield* Scope.fork(scope, ExecutionStrategy.parallel)
    const address = yield* Scope.extend(
      Serve.listen({
        handler: mail.beside(handler),
        host: options.host,
        port: options.port,
        maxConnections: options.maxConnections,
        isProxy: isProxyBy(options.trustProxy),
        remoteAddressOf: remoteAddressBy(options.trustProxy, () => warnOfProxy(options)),
        log,
        grace
      }),
      ending
    ).pipe(Effect.catchAll((error) => failListen(error, options.host, options.withPort)))
    const origin = listenUrl(address)
    if (options.worker === "on") {
      // Links in mails begin with the address that guests know, which may only be known once a free port was found.
      const tasks = yield* Layer.buildWithScope(tasksLayer(options, options.publicUrl ?? origin), tools).pipe(
        Effect.provide(domain)
      )
      yield* Scope.extend(Worker.start({ ...makeWork(), grace }), ending).pipe(
        Effect.provide(tasks),
        Effect.provide(domain)
      )
      // Beside a server that works there may be others that only answer; one of them all can have the address.
      yield* Scope.extend(mail.listen, ending)
    }
    return { origin, baseUrl: `${origin}/v1`, isEmpty: (yield* whose) === "nobody" }
  }).pipe(Effect.provide(JsonLog.layer(options.log, options.logLevel)))

/** A line for each request, straight to the writer: through Effect's logger it would cost a good part of the request. */
const requestLog = ({ log, logLevel }: ServerOptions) => (entry: { readonly level: JsonLog.Level }): void => {
  if (JsonLog.isLogged(entry.level, logLevel)) log.write(JSON.stringify(entry))
}

const warnOfProxy = ({ log, logLevel }: ServerOptions): void => {
  if (!JsonLog.isLogged("warn", logLevel)) return
  const said = "A request came with X-Forwarded-For, and no proxy is trusted to say who sent it: " +
    "whoever comes through one proxy is limited together. Start with --trust-proxy."
  log.write(JsonLog.entry(new Date(), "warn", said, {}))
}
