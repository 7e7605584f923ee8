/** Runs a worker without a server: storage, domain, and background jobs. */
import type { MailIntake } from "@trailbook/core/conversation"
import { makeWorkerJobs, type WorkerJobServices } from "@trailbook/runtime/jobs"
import * as JsonLog from "@trailbook/runtime/JsonLog"
import type { LineWriter } from "@trailbook/runtime/LineWriter"
import type { DatabaseOpenError } from "@trailbook/runtime/loadAdapter"
import type { OperatorError } from "@trailbook/runtime/OperatorError"
import { startMailReceivers } from "@trailbook/runtime/service/startMailReceivers"
import { makeWeatherLayers } from "@trailbook/runtime/service/weatherLayers"
import type { StripeOptions } from "@trailbook/stripe/clients"
import type { RunCounts } from "@trailbook/worker/Job"
import * as Worker from "@trailbook/worker/Worker"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { buildDomainServices } from "./buildDomainServices.ts"
import { filesLayer } from "./filesLayer.ts"
import { serveMetrics } from "./metrics.ts"
import type { CommandSettings } from "./setting/settings.ts"
import type { UsageError } from "./setting/UsageError.ts"
import { tasksLayer } from "./tasksLayer.ts"
import { withTelemetry } from "./telemetry.ts"

/** The settings of `trailbook worker` and the log writer. */
export interface WorkerOptions extends Omit<CommandSettings<"worker">, "json" | "logFormat" | "once"> {
  readonly log: LineWriter
  /** Stripe's address, for tests. */
  readonly stripe?: StripeOptions
}

/**
 * Runs background jobs until the scope closes. Running jobs then have until the end of the grace period to finish.
 * Several workers and servers can share a database.
 */
export const runWorker = (
  options: WorkerOptions
): Effect.Effect<void, OperatorError | UsageError | DatabaseOpenError, Scope.Scope> =>
  withWorker(
    options,
    Effect.zipRight(
      Effect.flatMap(startMailReceivers(options), ({ listen }) => listen),
      Worker.start({ ...makeWorkerJobs(options), grace: Duration.seconds(options.shutdownGraceSeconds) })
    ),
    Effect.void
  )

/** Runs all due jobs and returns their counts. */
export const runWorkerOnce = (
  options: WorkerOptions
): Effect.Effect<Readonly<Record<string, RunCounts>>, OperatorError | UsageError | DatabaseOpenError, Scope.Scope> =>
  withWorker(options, Worker.runUntilIdle(makeWorkerJobs(options).jobs))

const withWorker = <A, E, R extends WorkerJobServices | MailIntake | Scope.Scope>(
  options: WorkerOptions,
  work: Effect.Effect<A, E, R>,
  whileAway?: Effect.Effect<void>
) =>
  Effect.gen(function*() {
    const domain = yield* buildDomainServices({
      ...options,
      files: filesLayer(options),
      publicUrl: options.workerPublicUrl,
      weather: makeWeatherLayers(options),
      whileAway
    })
    // Build the layer in the outer scope, because the worker needs the layer's SMTP connections and keeps running after
    // the effect that starts it.
    const tasks = yield* Effect.provide(Layer.build(tasksLayer(options, options.workerPublicUrl)), domain)
    yield* Effect.provide(serveMetrics(options), domain)
    return yield* work.pipe(Effect.provide(tasks), Effect.provide(domain))
  }).pipe(withTelemetry(options), Effect.provide(JsonLog.layer(options.log, options.logLevel)))
