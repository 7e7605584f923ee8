import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/**
 * Asks storage several things that do not depend on each other. Each name has its
 * answer; a failure of one is that of all, once all have ended.
 *
 * @category models
 */
export type RunQueries = <const Asked extends Questions>(asked: Asked) => Answers<Asked>

type Questions = Readonly<Record<string, Effect.Effect<unknown, unknown>>>
type Answers<Asked extends Questions> = Effect.Effect<
  { readonly [Name in keyof Asked]: Effect.Effect.Success<Asked[Name]> },
  Effect.Effect.Error<Asked[keyof Asked]>
>

/**
 * One after the other, for a storage that answers before it can be asked again.
 *
 * @category asking
 */
export const sequential: RunQueries = <Asked extends Questions>(asked: Asked) =>
  Effect.gen(function*() {
    const said: Record<string, unknown> = {}
    for (const [name, ask] of Object.entries(asked)) said[name] = yield* ask
    return said
  }) as Answers<Asked>

/**
 * At the same time, for a storage that is far away: what is asked together travels
 * together. `Effect.all` does so too, with a fiber more than there are questions; here
 * the first is asked by the fiber that is there, and the others have one each, whose
 * own references end with it.
 *
 * @category asking
 */
export const concurrent: RunQueries = <Asked extends Questions>(asked: Asked) =>
  Effect.gen(function*() {
    const [first, ...others] = Object.entries(asked)
    const fibers: Array<readonly [string, Fiber.RuntimeFiber<unknown, unknown>]> = []
    for (const [name, ask] of others) fibers.push([name, yield* Effect.fork(ask)])
    const exits: Array<readonly [string, Exit.Exit<unknown, unknown>]> = []
    if (first !== undefined) exits.push([first[0], yield* Effect.exit(first[1])])
    for (const [name, fiber] of fibers) exits.push([name, yield* Fiber.await(fiber)])
    const said: Record<string, unknown> = {}
    for (const [name, exit] of exits) said[name] = yield* exit
    return said
  }) as Answers<Asked>

/**
 * How a storage is asked several things that do not depend on each other: at the same
 * time, where it does not say otherwise.
 *
 * @category references
 */
export class QueryConcurrency extends Context.Reference<QueryConcurrency>()("@trailbook/core/QueryConcurrency", {
  defaultValue: (): RunQueries => concurrent
}) {}
