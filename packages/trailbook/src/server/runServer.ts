/**
 * The server put together: storage, domain, HTTP and what runs by itself.
 *
 * @since 0.1.0
 */
import { Errands } from "@trailbook/core/mail/Errands"
import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import * as OutboxFolder from "@trailbook/mail/OutboxFolder"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Failure } from "../command/CommandError.ts"
import { adapter, type CannotUse } from "../runtime/adapter.ts"
import { background } from "../runtime/background.ts"
import { engine } from "../runtime/engine.ts"
import * as JsonLog from "../runtime/JsonLog.ts"
import type { LineWriter } from "../runtime/LineWriter.ts"
import * as NodeIds from "../runtime/NodeIds.ts"
import type { SettingsOf } from "../setting/settings.ts"
import { databaseAnswers } from "./databaseAnswers.ts"
import { notListening } from "./notListening.ts"
import { originOf } from "./originOf.ts"
import { outboxOf } from "./outboxOf.ts"

/**
 * What `trailbook serve` can be told, and where the log goes.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServerOptions extends Omit<SettingsOf<"serve">, "json"> {
  readonly log: LineWriter
}

/**
 * @since 0.1.0
 * @category models
 */
export interface RunningServer {
  /** Where it listens, such as `http://127.0.0.1:4000`. */
  readonly origin: string
  /** The root of the API, with its version: `{origin}/v1`. */
  readonly baseUrl: string
}

/**
 * Brings the database up to date and serves it until the scope closes. Then it
 * takes no more requests, lets those under way come to their end, and lets the
 * background finish its round, both at once and within the grace.
 *
 * @since 0.1.0
 * @category effects
 */
export const runServer = (
  options: ServerOptions
): Effect.Effect<RunningServer, Failure | CannotUse, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const grace = Duration.seconds(options.shutdownGraceSeconds)
    const log = requestLog(options)
    const { desk, storage } = yield* adapter(options.database)
    const domain = yield* Layer.buildWithScope(Layer.provideMerge(engine(NodeIds.layer, desk), storage), scope)
    const handler = yield* Effect.provide(
      Effect.flatMap(databaseAnswers, (ready) =>
        Handler.make({
          ready,
          rateLimit: { perSecond: options.rateLimitPerSecond },
          log,
          ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl })
        })),
      domain
    )
    const ending = yield* Scope.fork(scope, ExecutionStrategy.parallel)
    const address = yield* Scope.extend(
      Serve.listen({ handler, host: options.host, port: options.port, log, grace }),
      ending
    ).pipe(Effect.mapError(notListening))
    const origin = originOf(address)
    yield* Scope.extend(background(grace), ending).pipe(
      Effect.provide(errands(options, options.publicUrl ?? origin)),
      Effect.provide(domain)
    )
    return { origin, baseUrl: `${origin}/v1` }
  }).pipe(Effect.provide(JsonLog.layer(options.log, options.logLevel)))

/** Their links begin with the address that guests know, which is only known once a free port was found. */
const errands = (options: ServerOptions, publicUrl: string) =>
  Errands.layer({ publicUrl }).pipe(
    Layer.provide(OutboxFolder.layer({ directory: outboxOf(options), from: options.mailFrom }))
  )

/** A line for each request, straight to the writer: through Effect's logger it would cost a good part of the request. */
const requestLog = ({ log, logLevel }: ServerOptions) => (entry: { readonly level: JsonLog.Level }): void => {
  if (JsonLog.isLogged(entry.level, logLevel)) log.write(JSON.stringify(entry))
}
