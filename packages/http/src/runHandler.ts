import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"

/**
 * Runs an effect and returns its result: synchronously if the effect finished without waiting, otherwise as a promise.
 * The signal interrupts the effect.
 */
export type RunHandler = <A, E>(
  effect: Effect.Effect<A, E>,
  then: (exit: Exit.Exit<A, E>) => Response | Promise<Response>,
  request?: Pick<Request, "signal">
) => Response | Promise<Response>

/** Runs effects with the clock and settings of the fiber that creates this function, but without its services. */
export const make: Effect.Effect<RunHandler> = Effect.map(Effect.runtime(), ({ fiberRefs, runtimeFlags: flags }) => {
  // Fiber metrics are not read, and they would cost time on every request.
  const runtimeFlags = RuntimeFlags.disable(flags, RuntimeFlags.RuntimeMetrics)
  const fork = Runtime.runFork(Runtime.make({ context: Context.empty(), fiberRefs, runtimeFlags }))
  return <A, E>(
    effect: Effect.Effect<A, E>,
    then: (exit: Exit.Exit<A, E>) => Response | Promise<Response>,
    request?: Pick<Request, "signal">
  ) => {
    const fiber = fork(effect, { immediate: true })
    const exit = fiber.unsafePoll()
    if (exit !== null) return then(exit)
    request?.signal.addEventListener("abort", () => fiber.unsafeInterruptAsFork(FiberId.none), { once: true })
    return new Promise<Exit.Exit<A, E>>((resolve) => fiber.addObserver(resolve)).then(then)
  }
})
