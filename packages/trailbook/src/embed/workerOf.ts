/**
 * @since 0.1.0
 */
import { Errands } from "@trailbook/core/mail/Errands"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import * as Jobs from "@trailbook/worker/Worker"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Configuration } from "./configurationOf.ts"
import type { Lifecycle } from "./Lifecycle.ts"
import { mailerOf } from "./mailerOf.ts"
import type { Worker } from "./Trailbook.ts"

/**
 * @since 0.1.0
 * @category constructors
 */
export const workerOf = (lifecycle: Lifecycle, configuration: Configuration): Worker => {
  let running: Promise<Scope.CloseableScope> | undefined
  const begin = async (): Promise<Scope.CloseableScope> => {
    const { run, scope } = await lifecycle.opened()
    return run(Effect.gen(function*() {
      const errands = yield* prepared(configuration)
      const work = yield* Scope.fork(scope, ExecutionStrategy.sequential)
      yield* Scope.extend(Jobs.start({ grace: "10 seconds" }), work).pipe(Effect.provide(errands))
      return work
    }))
  }
  return {
    start: async () => {
      running ??= begin().catch((error: unknown) => {
        running = undefined
        throw error
      })
      await running
    },
    stop: async () => {
      const work = await running?.catch(() => undefined)
      running = undefined
      if (work !== undefined) await Effect.runPromise(Scope.close(work, Exit.void))
    },
    runOnce: () =>
      lifecycle.run(Effect.flatMap(prepared(configuration), (errands) => Effect.provide(Jobs.once, errands)))
  }
}

/** What the jobs need, or why they cannot be done. A job that could only fail must not keep another worker from it. */
const prepared = ({ mailer, publicUrl = "", webhooks }: Configuration) =>
  Effect.gen(function*() {
    if (mailer === undefined) {
      return yield* Effect.fail(
        new TypeError("mailer: the worker mails guests; say how, or \"none\" when your program writes to them itself")
      )
    }
    if (webhooks === undefined && (yield* (yield* WebhookStore).page("", 1)).length > 0) {
      return yield* Effect.fail(
        new TypeError("webhooks: the database has some, and the worker delivers to them; give it their keys")
      )
    }
    return Errands.layer({ publicUrl }).pipe(Layer.provide(mailerOf(mailer)))
  })
