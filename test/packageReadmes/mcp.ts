import type { Actor } from "@trailbook/core/actor/Actor"
import { make } from "@trailbook/mcp"
import * as Effect from "effect/Effect"

/** Answers what an assistant posts to `/mcp`, once your door has found out who asks. */
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
