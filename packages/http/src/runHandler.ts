import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"

/**
 * Runs an effect and hands its end on: at once when it was done without waiting
 * for anything, else by a promise. The signal interrupts it.
 */
export type RunHandler = <A, E>(
  effect: Effect.Effect<A, E>,
  then: (exit: Exit.Exit<A, E>) => Response | Promise<Response>,
  request?: Pick<Request, "signal">
) => Response | Promise<Response>

/**
 * Effects run as the fiber that makes this does, by its clock and its settings,
 * but without its services.
 */
export const make: Effect.Effect<RunHandler> = Effect.map(Effect.runtime(), ({ fiberRefs, runtimeFlags: flags }) => {
  // Nobody reads the counts of fibers, and they would be taken for every request.
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
