import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/** Runs independent queries. Returns one result per name. If one fails, the result fails after all have finished. */
export type RunQueries = <const Asked extends Questions>(asked: Asked) => Answers<Asked>

type Questions = Readonly<Record<string, Effect.Effect<unknown, unknown>>>
type Answers<Asked extends Questions> = Effect.Effect<
  { readonly [Name in keyof Asked]: Effect.Effect.Success<Asked[Name]> },
  Effect.Effect.Error<Asked[keyof Asked]>
>

/** Runs queries sequentially, for a synchronous storage. */
export const sequential: RunQueries = <Asked extends Questions>(asked: Asked) =>
  Effect.gen(function*() {
    const said: Record<string, unknown> = {}
    for (const [name, ask] of Object.entries(asked)) said[name] = yield* ask
    return said
  }) as Answers<Asked>

/**
 * Runs queries concurrently, for a remote storage that pipelines them. `Effect.all` needs one more fiber: here the
 * first query runs in the current fiber, and each other query in its own.
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

/** How the storage runs independent queries. The default is concurrent. */
export class QueryConcurrency extends Context.Reference<QueryConcurrency>()("@trailbook/core/QueryConcurrency", {
  defaultValue: (): RunQueries => concurrent
}) {}
