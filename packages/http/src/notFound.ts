/** Requests without a route: an unknown path, or a method that the path does not support. */
import { Refusal, refuse } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import type { HonoRequest } from "hono"
import type { Router } from "hono/router"
import { Failure } from "./Failure.ts"
import type { Reply } from "./Reply.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

export const notFoundReply = (
  router: Router<unknown>,
  { method, path }: Pick<HonoRequest, "method" | "path">
): Effect.Effect<Reply, Failure | Refusal> => {
  const known = methods.filter((method) => router.match(method, path)[0].length > 0)
  if (known.length === 0) return Effect.fail(notFound)
  const allow = known.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]).concat("OPTIONS").join(", ")
  return method === "OPTIONS"
    ? Effect.succeed({ status: 204, body: null, headers: { allow } })
    : Effect.fail(new Failure(refuse("method_not_allowed", allow), { allow }))
}

const notFound = new Refusal({ code: "not_found", message: "No resource exists at this URL." })
