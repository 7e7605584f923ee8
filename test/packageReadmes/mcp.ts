import type { Actor } from "@trailbook/core/actor"
import { make } from "@trailbook/mcp"
import * as Effect from "effect/Effect"

/** Handles a POST to `/mcp`. Your server authenticates the request and passes the actor. */
export const mcp = Effect.map(
  make({ version: "1.0.0" }),
  (handler) => (request: Request, actor: Actor["Type"]) =>
    Effect.gen(function*() {
      const body: unknown = yield* Effect.promise(() => request.json())
      const answer = yield* handler(request, { actor, body })
      return new Response(answer.body, {
        status: answer.status,
        headers: { "content-type": "application/json", ...answer.headers }
      })
    })
)
