/** How queries and long computations share the event loop. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/**
 * Runs independent queries. Returns one result per name. If a query fails, the entire call fails once all queries have
 * finished.
 */
export type QueryRunner = <const Given extends Queries>(queries: Given) => Results<Given>

type Queries = Readonly<Record<string, Effect.Effect<unknown, unknown>>>
type Results<Given extends Queries> = Effect.Effect<
  { readonly [Name in keyof Given]: Effect.Effect.Success<Given[Name]> },
  Effect.Effect.Error<Given[keyof Given]>
>

/**
 * Runs queries sequentially. This suits in-process storage, because a fiber would cost more than a query. Stops at the
 * first failure.
 */
export const sequential: QueryRunner = <Given extends Queries>(queries: Given) =>
  Effect.gen(function*() {
    const results: Record<string, unknown> = {}
    for (const [name, query] of Object.entries(queries)) results[name] = yield* query
    return results
  }) as Results<Given>

const startAll = (inCurrentFiber: 0 | 1): QueryRunner => <Given extends Queries>(queries: Given) =>
  Effect.gen(function*() {
    const entries = Object.entries(queries)
    const fibers: Array<readonly [string, Fiber.RuntimeFiber<unknown, unknown>]> = []
    for (const [name, query] of entries.slice(inCurrentFiber)) fibers.push([name, yield* Effect.fork(query)])
    const exits: Array<readonly [string, Exit.Exit<unknown, unknown>]> = []
    for (const [name, query] of entries.slice(0, inCurrentFiber)) exits.push([name, yield* Effect.exit(query)])
    for (const [name, fiber] of fibers) exits.push([name, yield* Fiber.await(fiber)])
    const results: Record<string, unknown> = {}
    for (const [name, exit] of exits) results[name] = yield* exit
    return results
  }) as Results<Given>

/**
 * Runs queries in parallel, for remote storage that pipelines queries. The first query runs in the current fiber, and
 * every other query runs in its own fiber. This saves one fiber compared with `Effect.all`.
 */
export const parallel = startAll(1)

/**
 * Sends single statements in order without waiting for their results. The remote storage must run a transaction's
 * statements in the order it receives them. Each statement has its own fiber, because the current fiber could yield
 * before it sends the first statement. New fibers start in the order they are forked.
 */
export const pipeline = startAll(0)

// Every server runtime has `setImmediate`. Its type is declared here, because core includes no platform types. In a
// browser, no server shares the event loop, so a microtask is enough.
const { setImmediate: later = queueMicrotask } = globalThis as {
  readonly setImmediate?: (then: () => void) => unknown
}

/**
 * Yields to the event loop, not only to other fibers. The server can read newly arrived requests before this effect
 * completes.
 */
export const yieldToEventLoop: Effect.Effect<void> = Effect.async<void>((resume) => {
  later(() => resume(Effect.void))
})
