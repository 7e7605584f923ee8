/** A worker without a server: storage, domain and what runs by itself. */
import type { InboundMailHandler } from "@trailbook/core/conversation/InboundMail"
import type { StripeOptions } from "@trailbook/stripe/clients"
import type { RunCounts } from "@trailbook/worker/Job"
import * as Worker from "@trailbook/worker/Worker"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Failure, UsageError } from "../command/CommandError.ts"
import type { UnusableDatabase } from "../runtime/adapter.ts"
import { makeWork, type WorkServices } from "../runtime/jobs.ts"
import * as JsonLog from "../runtime/JsonLog.ts"
import type { LineWriter } from "../runtime/LineWriter.ts"
import type { CommandSettings } from "../setting/settings.ts"
import { domainLayer } from "./domainLayer.ts"
import { filesLayer } from "./filesLayer.ts"
import { mailIn } from "./mailIn.ts"
import { tasksLayer } from "./tasksLayer.ts"
import { weatherLayer } from "./weatherLayer.ts"

/** What `trailbook worker` can be told, and where the log goes. */
export interface WorkerOptions extends Omit<CommandSettings<"worker">, "json" | "logFormat" | "once"> {
  readonly log: LineWriter
  /** Where Stripe is, for tests. */
  readonly stripe?: StripeOptions
}

/**
 * Works on a database, beside its servers and other workers, until the scope
 * closes; then what is under way may come to its end within the grace.
 */
export const runWorker = (
  options: WorkerOptions
): Effect.Effect<void, Failure | UsageError | UnusableDatabase, Scope.Scope> =>
  working(
    options,
    Effect.zipRight(
      Effect.flatMap(mailIn(options), ({ listen }) => listen),
      Worker.start({ ...makeWork(), grace: Duration.seconds(options.shutdownGraceSeconds) })
    )
  )

/** Does everything that is due and says what that was. */
export const runWorkerOnce = (
  options: WorkerOptions
): Effect.Effect<Readonly<Record<string, RunCounts>>, Failure | UsageError | UnusableDatabase, Scope.Scope> =>
  working(options, Worker.runUntilIdle(makeWork().jobs))

const working = <A, E, R extends WorkServices | InboundMailHandler | Scope.Scope>(
  options: WorkerOptions,
  work: Effect.Effect<A, E, R>
) =>
  Effect.gen(function*() {
    const domain = yield* domainLayer({
      ...options,
      files: filesLayer(options),
      publicUrl: options.workerPublicUrl,
      sky: weatherLayer(options)
    })
    // In the scope of all: a worker goes on when what starts it has ended, and needs its connections to a mail server.
    const tasks = yield* Effect.provide(Layer.build(tasksLayer(options, options.workerPublicUrl)), domain)
    return yield* work.pipe(Effect.provide(tasks), Effect.provide(domain))
  }).pipe(Effect.provide(JsonLog.layer(options.log, options.logLevel)))
