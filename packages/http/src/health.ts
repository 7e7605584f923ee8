/** Health probes, which are public and return minimal responses. */
import { refuse, unavailable } from "@trailbook/core"
import * as Effect from "effect/Effect"
import type { Handler } from "./handler.ts"
import { HttpFailure } from "./HttpFailure.ts"
import type { RequestContext } from "./request/RequestContext.ts"
import * as Reply from "./response/Reply.ts"

/**
 * Creates the routes for the probes. `/livez` reports whether the process can respond. `/readyz` reports whether it
 * should receive requests.
 */
export const routes = (
  { live = always, ready = always }: { readonly live?: Effect.Effect<boolean>; readonly ready?: Effect.Effect<boolean> }
) => {
  const readiness = ({ connection }: RequestContext) =>
    connection.leaving === true || connection.draining === true
      ? Effect.fail(notReady)
      : Effect.flatMap(ready, (ready) => ready ? Effect.succeed(ok) : Effect.fail(notReady))
  const liveness = () => Effect.flatMap(live, (live) => live ? Effect.succeed(ok) : Effect.fail(over))
  return [["/livez", liveness], ["/healthz", liveness], ["/readyz", readiness]] as const
}

/** Handles requests during startup. Liveness checks succeed, and every other request receives a 503. */
export const startupHandler: Handler = ({ url }) => {
  const { body, headers, status } = /^\/(livez|healthz)$/.test(new URL(url).pathname) ? ok : Reply.fromError(notReady)
  return new Response(body, { status, headers: { "content-type": "application/json", ...headers } })
}

const always = Effect.succeed(true)

const ok = Reply.json(200, { status: "ok" })

const notReady = unavailable("Not ready.")

const over = new HttpFailure(refuse("unavailable", "The service has stopped."))
