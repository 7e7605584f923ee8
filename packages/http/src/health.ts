/** Health probes: public, with minimal responses. */
import { refuse, unavailable } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { Failure } from "./Failure.ts"
import * as Reply from "./Reply.ts"
import type { RequestContext } from "./RequestContext.ts"

/** `/livez` reports that the process can respond, `/readyz` that it should receive requests. */
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

const always = Effect.succeed(true)

const ok = Reply.json(200, { status: "ok" })

const notReady = unavailable("Not ready.")

const over = new Failure(refuse("unavailable", "The service has stopped."))
