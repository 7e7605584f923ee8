/**
 * @since 0.1.0
 */
import type { Refusal } from "@trailbook/core/Refusal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import type { Exchange } from "./Exchange.ts"
import type { Failure } from "./Failure.ts"
import type { Reply } from "./Reply.ts"

type Finish = (exchange: Exchange, exit: Exit.Exit<Reply, Refusal | Failure>) => Response

/**
 * Runs a request's effect and makes its response: at once when the effect was
 * done without waiting for anything, else by a promise.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (finish: Finish) =>
  Effect.map(Effect.runtime(), ({ fiberRefs, runtimeFlags }) => {
    // Requests need no service but those their handlers hold, and a small context is quick to add to.
    const runtime = Runtime.make({ context: Context.empty(), fiberRefs, runtimeFlags })
    return (
      exchange: Exchange,
      answer: Effect.Effect<Reply, Refusal | Failure>,
      interruptible: boolean
    ): Response | Promise<Response> => {
      const fiber = Runtime.runFork(runtime)(answer, { immediate: true })
      const exit = fiber.unsafePoll()
      if (exit !== null) return finish(exchange, exit)
      return new Promise((resolve) => {
        fiber.addObserver((exit) => resolve(finish(exchange, exit)))
        if (interruptible) {
          const { signal } = exchange.request
          signal.addEventListener("abort", () => fiber.unsafeInterruptAsFork(FiberId.none), { once: true })
        }
      })
    }
  })
