/** Serves the protocol over the process's stdin and stdout, for a single caller. */
import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server"
import { invalid, type Refusal } from "@trailbook/core"
import type { VisitorAccess } from "@trailbook/core/actor"
import type { AssistantCalls } from "@trailbook/core/assistant"
import { ChangeNotifier } from "@trailbook/core/event"
import type { Registry } from "@trailbook/core/operation"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import { type Caller, toAssistantCaller } from "./Caller.ts"
import * as McpHandlers from "./McpHandlers.ts"
import { normalizeArguments } from "./normalizeArguments.ts"
import { type EffectRunner, makeEffectRunner } from "./server/McpServerContext.ts"
import { explainError } from "./server/toRpcError.ts"

/**
 * Serves until the fiber is interrupted, or until the client has closed stdin and all running calls have finished.
 * Until then, only protocol messages are written to stdout.
 */
export const serve = (
  baseCaller: Caller,
  options: { readonly version: string }
): Effect.Effect<void, never, AssistantCalls | ChangeNotifier | Registry | VisitorAccess> =>
  Effect.gen(function*() {
    const caller = toAssistantCaller(baseCaller)
    const assistant = yield* McpHandlers.make
    const { run, waitForCalls } = trackCalls(yield* makeEffectRunner)
    const instructions = yield* assistant.instructions(caller)
    let server: Server | undefined
    let isClientSubscribed = false
    const today = yield* watchTodaysTrips(
      caller.actor.orgId,
      Effect.suspend(() => assistant.resources.read(caller, todayUri)),
      Effect.sync(() => isClientSubscribed ? void server?.sendResourceUpdated({ uri: todayUri }) : undefined)
    )
    const subscribe = (uri: string, isSubscribed: boolean) =>
      uri !== todayUri
        ? invalid(`uri: only ${todayUri} has updates`)
        : Effect.andThen(isSubscribed ? today.start : Effect.void, () => {
          isClientSubscribed = isSubscribed
        })
    const runFork = Runtime.runFork(yield* Effect.runtime())
    const { serveStdio, StdioServerTransport } = yield* Effect.promise(() =>
      import("@modelcontextprotocol/server/stdio")
    )
    const { make } = yield* Effect.promise(() => import("./server/sdkV2.ts"))
    yield* Effect.async<void>((resume) => {
      class Streams extends StdioServerTransport {
        override start() {
          const { onmessage: forward } = this
          const onmessage = (message: JSONRPCMessage) => {
            // In newer revisions, the library handles subscriptions and drops updates without a subscription.
            if ("method" in message && message.method === "subscriptions/listen") {
              return void run(subscribe(todayUri, true)).then(() => forward?.(message))
            }
            forward?.(normalizeArguments(message))
          }
          Object.assign(this, { onmessage })
          return super.start()
        }
        override send(message: JSONRPCMessage) {
          return super.send(explainError(message))
        }
        override async close() {
          await super.close()
          await waitForCalls()
          resume(Effect.void)
        }
      }
      const connection = serveStdio(
        () => server = make({ assistant, caller, instructions, run, subscribe, version: options.version }),
        {
          transport: new Streams(),
          onerror: (error) => runFork(Effect.logWarning("Could not handle an MCP message", error))
        }
      )
      return Effect.promise(() => connection.close())
    })
  })

const todayUri = "trailbook://today"

/**
 * Runs `update` whenever today's trips or their guests change after `start`. The watcher runs in the caller's fiber. A
 * failed read is retried every 5 seconds.
 */
export const watchTodaysTrips = (
  orgId: string,
  resource: Effect.Effect<{ readonly text: string }, Refusal>,
  update: Effect.Effect<void>
): Effect.Effect<{ readonly start: Effect.Effect<void, Refusal> }, never, ChangeNotifier> =>
  Effect.gen(function*() {
    const { watch } = yield* ChangeNotifier
    const firstDays = yield* Deferred.make<string>()
    // Compare only the days, because the rest of the resource is just the time of the read.
    const days = Effect.map(resource, ({ text }) => JSON.stringify(JSON.parse(text).days))
    const loop = Effect.gen(function*() {
      let lastDays = yield* Deferred.await(firstDays)
      const { next } = yield* watch(orgId)
      let head: number | undefined
      while ((head = yield* next(head)) !== undefined) {
        const current = yield* Effect.orDie(Effect.retry(days, Schedule.spaced("5 seconds")))
        if (current !== lastDays) yield* update
        lastDays = current
      }
    })
    yield* Effect.fork(Effect.scoped(loop))
    // Read the initial state before the client receives a response, so that no later change is missed.
    return { start: Effect.asVoid(Effect.flatMap(days, (initialDays) => Deferred.succeed(firstDays, initialDays))) }
  })

/** Tracks running effects, so that the database is closed only after they have finished. */
const trackCalls = (run: EffectRunner) => {
  const pendingCalls = new Set<Promise<unknown>>()
  const runTracked: EffectRunner = (effect) => {
    const promise = run(effect)
    pendingCalls.add(promise)
    void promise.finally(() => pendingCalls.delete(promise))
    return promise
  }
  return { run: runTracked, waitForCalls: () => Promise.allSettled(pendingCalls) }
}
