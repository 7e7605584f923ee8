/**
 * The protocol at one address, stateless, for every revision. Who asks has been
 * found out before: a host checks the key and hands on whom it belongs to.
 *
 * @since 0.1.0
 */
import type { Actor } from "@trailbook/core/actor/Actor"
import type { Registry } from "@trailbook/core/operation/Registry"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Assistant from "../Assistant.ts"
import { fromQuery } from "../Selection.ts"
import * as Run from "../server/run.ts"
import type { Serving } from "../server/Serving.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Asked {
  /** Its source is where the handler is: `mcp`. */
  readonly actor: Actor["Type"]
  /** The body, read as JSON. */
  readonly body: unknown
  /** Told which operation a call means, for the log. */
  readonly onOperation?: (name: string) => void
}

/**
 * @since 0.1.0
 * @category models
 */
export type McpHandler = (request: Request, asked: Asked) => Promise<Response>

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** That of the program, as clients show it. */
  readonly version: string
}

/**
 * Serves the operations.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Effect.Effect<McpHandler, never, Registry> =>
  Effect.flatMap(Assistant.make, (assistant) => of(assistant, options))

/**
 * Serves whatever an assistant is shown. The libraries are loaded when the first
 * request comes: a server that no assistant talks to pays nothing for them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const of = (assistant: Assistant.Assistant, options: Options): Effect.Effect<McpHandler> =>
  Effect.map(Run.make, (run) => {
    let loaded: ReturnType<typeof load> | undefined

    return async (request, { actor, body, onOperation }) => {
      loaded ??= load()
      const { answerModern, isLegacy } = await loaded
      const selection = fromQuery(new URL(request.url).searchParams)
      if (typeof selection === "string") return rpcFailure(400, selection)
      const caller = { actor, selection }
      const serving: Serving = {
        assistant,
        caller,
        instructions: opens(body) ? Either.merge(await run(assistant.instructions(caller))) : undefined,
        run,
        version: options.version,
        onOperation
      }
      if (!await isLegacy(request, body)) return answerModern(serving, request, body)
      const { answer } = await import("../server/v1.ts")
      return answer(serving, request, body)
    }
  })

const load = async () => {
  const { answerer, isLegacy } = await import("../server/v2.ts")
  return { answerModern: answerer(), isLegacy }
}

/** Instructions are read from the database, and answered to these two alone. */
const opens = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "method" in body &&
  (body.method === "initialize" || body.method === "server/discover")

const rpcFailure = (status: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_600, message } }, { status })
