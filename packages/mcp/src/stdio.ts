/** Serves the protocol over stdin and stdout of a process, for one caller. */
import type { JSONRPCMessage } from "@modelcontextprotocol/server"
import type { VisitorAccess } from "@trailbook/core/actor/VisitorAccess"
import type { Registry } from "@trailbook/core/operation/Registry"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { asAssistantCaller, type Caller } from "./Caller.ts"
import * as McpHandlers from "./McpHandlers.ts"
import { normalizeArguments } from "./normalizeArguments.ts"
import type { Run as RunEffect } from "./server/McpServerContext.ts"
import * as Run from "./server/run.ts"
import { explainError } from "./server/wrongParameters.ts"

/**
 * Serves until the fiber is interrupted, or until the client has closed stdin and running calls have finished. While it
 * serves, only protocol messages are written to stdout.
 */
export const serve = (
  given: Caller,
  options: { readonly version: string }
): Effect.Effect<void, never, Registry | VisitorAccess> =>
  Effect.gen(function*() {
    const caller = asAssistantCaller(given)
    const assistant = yield* McpHandlers.make
    const { idle, run } = counted(yield* Run.make)
    const instructions = yield* assistant.instructions(caller)
    const note = Runtime.runFork(yield* Effect.runtime())
    const { serveStdio, StdioServerTransport } = yield* Effect.promise(() =>
      import("@modelcontextprotocol/server/stdio")
    )
    const { make } = yield* Effect.promise(() => import("./server/sdkV2.ts"))
    yield* Effect.async<void>((resume) => {
      class Streams extends StdioServerTransport {
        override start() {
          const { onmessage: hear } = this
          Object.assign(this, { onmessage: (message: JSONRPCMessage) => hear?.(normalizeArguments(message)) })
          return super.start()
        }
        override send(message: JSONRPCMessage) {
          return super.send(explainError(message))
        }
        override async close() {
          await super.close()
          await idle()
          resume(Effect.void)
        }
      }
      const served = serveStdio(
        () => make({ assistant, caller, instructions, run, version: options.version }),
        {
          transport: new Streams(),
          onerror: (error) => note(Effect.logWarning("Handling a message failed", error))
        }
      )
      return Effect.promise(() => served.close())
    })
  })

/** Counts running effects, so that the database is not closed while one runs. */
const counted = (run: RunEffect) => {
  const underWay = new Set<Promise<unknown>>()
  const counting: RunEffect = (effect) => {
    const done = run(effect)
    underWay.add(done)
    void done.finally(() => underWay.delete(done))
    return done
  }
  return { run: counting, idle: () => Promise.allSettled(underWay) }
}
