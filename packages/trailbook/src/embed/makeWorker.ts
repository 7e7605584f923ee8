import { TaskHandlers } from "@trailbook/core/handler"
import { WebhookStore } from "@trailbook/core/webhook"
import { makeWorkerJobs } from "@trailbook/runtime/jobs"
import * as CheckInCodePng from "@trailbook/web/CheckInCodePng"
import { runUntilIdle, start } from "@trailbook/worker/Worker"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Hooks } from "./hook/Hooks.ts"
import { Lazy } from "./Lazy.ts"
import type { Lifecycle } from "./Lifecycle.ts"
import type { ParsedOptions } from "./option/parseOptions.ts"
import { mailerLayer, notifierLayer } from "./service/hostLayers.ts"
import type { Worker } from "./Trailbook.ts"

export const makeWorker = (lifecycle: Lifecycle, configuration: ParsedOptions, hooks: Hooks): Worker => {
  const { subscribers } = hooks
  const workerScope = new Lazy<Scope.CloseableScope>(() =>
    lifecycle.runCall(async ({ run }) => {
      const { scope } = await lifecycle.opened()
      await hooks.settle()
      return run(Effect.gen(function*() {
        const tasks = yield* prepareWorker(configuration)
        const jobScope = yield* Scope.fork(scope, ExecutionStrategy.sequential)
        yield* Scope.extend(start({ ...makeWorkerJobs({ subscribers }), grace }), jobScope).pipe(Effect.provide(tasks))
        return jobScope
      }))
    })
  )
  return {
    start: async () => {
      await workerScope.get()
    },
    stop: async () => {
      const openScope = await workerScope.made?.catch(() => undefined)
      workerScope.forget()
      if (openScope !== undefined) await Effect.runPromise(Scope.close(openScope, Exit.void))
    },
    runOnce: () =>
      lifecycle.runCall(async ({ run }) => {
        await hooks.settle()
        return run(
          Effect.flatMap(
            prepareWorker(configuration),
            (tasks) =>
              Effect.raceFirst(
                Effect.provide(runUntilIdle(makeWorkerJobs({ subscribers }).jobs), tasks),
                failAfterClose(lifecycle.ended, grace)
              )
          )
        )
      })
  }
}

/** The maximum time for running jobs to finish after the worker is stopped. */
const grace = "10 seconds"

/**
 * Fails once `endSignal` is aborted and a grace period has passed. The failure interrupts the remaining work and
 * releases its claims.
 */
const failAfterClose = (endSignal: AbortSignal, delay: Duration.DurationInput): Effect.Effect<never, Error> =>
  Effect.async<void>((resume) => {
    const onAbort = () => resume(Effect.void)
    if (endSignal.aborted) return onAbort()
    endSignal.addEventListener("abort", onAbort)
    return Effect.sync(() => endSignal.removeEventListener("abort", onAbort))
  }).pipe(
    Effect.zipRight(Effect.sleep(delay)),
    Effect.zipRight(Effect.fail(new Error("Trailbook is closed.")))
  )

/**
 * Builds the services that the jobs need. Fails if an option is missing, because the worker would otherwise claim jobs
 * that it cannot complete and keep other workers from running them.
 */
const prepareWorker = (
  { http: { basePath }, links, mailer, notifier, publicUrl = "", replies, webhooks }: ParsedOptions
) =>
  Effect.gen(function*() {
    if (mailer === undefined) {
      return yield* Effect.fail(
        new TypeError("mailer: is required by the worker. Use \"none\" if your application sends the emails")
      )
    }
    if (webhooks === undefined && (yield* (yield* WebhookStore).page("", 1)).length > 0) {
      return yield* Effect.fail(
        new TypeError(
          "webhooks: must contain the encryption keys, because the worker decrypts the webhook secrets in the database"
        )
      )
    }
    return TaskHandlers.layer({
      publicUrl: links.guests ?? "",
      staffUrl: links.staff,
      filesUrl: publicUrl + basePath,
      replyDomain: replies?.domain
    }).pipe(
      Layer.provide(mailerLayer(mailer)),
      Layer.provide(notifierLayer(notifier)),
      Layer.provide(CheckInCodePng.layer)
    )
  })
