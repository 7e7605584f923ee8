import type { Registry } from "@trailbook/core/operation/Registry"
import { Failure } from "@trailbook/http/Failure"
import type { Mount } from "@trailbook/http/Mount"
import * as Door from "@trailbook/mcp/http/door"
import type { McpHandler } from "@trailbook/mcp/http/handler"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { version } from "../version.ts"

/**
 * The address that assistants connect to, with the keys of the API. What it needs
 * is loaded when the first of them comes.
 *
 * @category constructors
 */
export const mcpMount = (publicUrl: string | undefined): Effect.Effect<Mount, never, Registry> =>
  Effect.map(Effect.runtime<Registry>(), (runtime) => {
    const door = Door.make(publicUrl)
    let handler: McpHandler | undefined
    let loading: Promise<McpHandler> | undefined
    const load = async (): Promise<McpHandler> => {
      const { make } = await import("@trailbook/mcp/http/handler")
      handler = await Runtime.runPromise(runtime, make({ version: version() }))
      return handler
    }
    return {
      path: Door.path,
      refuse: (request) => {
        const refused = door.refuse(request)
        return refused && new Failure({ code: codes[refused.status], message: refused.message })
      },
      challenge: door.challenge,
      answer: (request, asked) => {
        if (handler !== undefined) return handler(request, asked)
        const loaded = loading ??= load()
        return Effect.flatMap(Effect.promise(() => loaded), (handler) => handler(request, asked))
      },
      documents: Object.fromEntries(Door.metadataPaths.map((path) => [path, door.metadata]))
    }
  })

const codes = { 400: "invalid_request", 403: "forbidden" } as const
