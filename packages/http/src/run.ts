/**
 * @since 0.1.0
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"

/**
 * Runs an effect and hands its end on: at once when it was done without waiting
 * for anything, else by a promise. The signal interrupts it.
 *
 * @since 0.1.0
 * @category models
 */
export type Run = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  context: Context.Context<R>,
  then: (exit: Exit.Exit<A, E>) => Response | Promise<Response>,
  request?: Pick<Request, "signal">
) => Response | Promise<Response>

/**
 * Effects run as the fiber that makes this does, by its clock and its settings,
 * but with the services of their own context alone. A context at the start of a
 * fiber is free; one provided within costs four times the fiber.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<Run> = Effect.map(Effect.runtime(), ({ fiberRefs, runtimeFlags: flags }) => {
  // Nobody reads the counts of fibers, and they would be taken for every request.
  const runtimeFlags = RuntimeFlags.disable(flags, RuntimeFlags.RuntimeMetrics)
  return <A, E, R>(
    effect: Effect.Effect<A, E, R>,
    context: Context.Context<R>,
    then: (exit: Exit.Exit<A, E>) => Response | Promise<Response>,
    request?: Pick<Request, "signal">
  ) => {
    const runtime = Runtime.make({ context, fiberRefs, runtimeFlags })
    const fiber = Runtime.runFork(runtime)(effect, { immediate: true })
    const exit = fiber.unsafePoll()
    if (exit !== null) return then(exit)
    request?.signal.addEventListener("abort", () => fiber.unsafeInterruptAsFork(FiberId.none), { once: true })
    return new Promise<Exit.Exit<A, E>>((resolve) => fiber.addObserver(resolve)).then(then)
  }
})
