import type { Storage } from "@trailbook/core/storage"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import * as JsonLog from "@trailbook/runtime/JsonLog"
import { loadAdapter } from "@trailbook/runtime/loadAdapter"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { verifySecrets } from "@trailbook/runtime/service/verifySecrets"
import { webhooksLayer } from "@trailbook/runtime/service/webhooksLayer"
import type { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import { createHookLayer } from "./hook/createHookLayer.ts"
import { isInMemory, type ParsedOptions } from "./option/parseOptions.ts"
import { drafterLayer, filesLayer } from "./service/hostLayers.ts"
import { paymentsLayer } from "./service/paymentsLayer.ts"
import { weatherLayer } from "./service/weatherLayer.ts"
import { toRejection } from "./toTrailbookError.ts"

export type DomainServices = Layer.Layer.Success<ReturnType<typeof engineLayer>> | Storage | Database

/** An open database and its domain services. */
export interface OpenDatabase {
  readonly run: <A, E>(effect: Effect.Effect<A, E, DomainServices>) => Promise<A>
  /** Stops background work and closes the database. */
  readonly close: () => Promise<void>
  /** The scope that closes with the database. */
  readonly scope: Scope.Scope
}

/** Opens the configured database. Rejects if the database cannot be used. */
export const openDatabase = (configuration: ParsedOptions): Promise<OpenDatabase> =>
  startServices(makeRuntime(configuration), configuration)

/** Starts the services with the configured log and clock. Rejects if a service cannot start. */
export const startServices = async <E>(
  runtime: Effect.Effect<Runtime.Runtime<DomainServices>, E, Scope.Scope>,
  { clock, log, logLevel }: ParsedOptions
): Promise<OpenDatabase> => {
  const scope = Effect.runSync(Scope.make())
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const exit = await Effect.runPromiseExit(
    Scope.extend(runtime, scope).pipe(
      Effect.provide(JsonLog.layer({ write: log, flush: () => {} }, logLevel)),
      Effect.withClock(clock)
    )
  )
  if (Exit.isFailure(exit)) await close()
  const fork = Runtime.runPromiseExit(getOrReject(exit))
  return { close, scope, run: async (effect) => getOrReject(await fork(effect)) }
}

/** Returns the value, or throws the error to reject the call with. */
const getOrReject = <A>(exit: Exit.Exit<A, unknown>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw toRejection(exit.cause)
}

/** Applies pending migrations to the configured database and returns their names. Rejects if a migration fails. */
export const migrateDatabase = async ({ database }: ParsedOptions): Promise<ReadonlyArray<string>> => {
  if (isInMemory(database)) return []
  return getOrReject(await Effect.runPromiseExit(Effect.flatMap(loadAdapter(database), ({ migrate }) => migrate)))
}

const makeRuntime = (
  { before, database, drafter, files, links, migrations, payments, weather, webhooks }: ParsedOptions
) =>
  Effect.gen(function*() {
    const { batches, pending, storage } = yield* loadAdapter(database)
    if (migrations === "manual" && !isInMemory(database)) {
      const { names } = yield* pending
      if (names.length > 0) return yield* Effect.fail(new OutOfDate(names))
    }
    const domain = yield* Layer.build(
      engineLayer(NodeIds.layer, batches, {
        webhooks: webhooks === undefined ? undefined : webhooksLayer(webhooks.keys, webhooks.allow),
        payments: paymentsLayer(payments),
        gate: createHookLayer(before),
        files: filesLayer(files),
        drafter: drafterLayer(drafter),
        publicUrl: links.guests,
        ...weatherLayer(weather)
      }).pipe(Layer.provideMerge(storage))
    )
    // Fail at startup if a key is missing, instead of at the first webhook delivery.
    if (webhooks !== undefined) yield* Effect.provide(verifySecrets({ reseal: true }), domain)
    return yield* Effect.provide(Effect.runtime<DomainServices>(), domain)
  })

/** The error for pending migrations if the `migrations` option is `manual`. */
class OutOfDate extends Error {
  override readonly name = "OutOfDate"
  constructor(names: ReadonlyArray<string>) {
    super(
      `The database is not up to date. Pending migrations: ${names.join(", ")}. Call migrate(), or run the SQL ` +
        "printed by trailbook migrate --print."
    )
  }
}
