import { type Refusal, refuse } from "@trailbook/core"
import { Actor, hasScope, toNetwork } from "@trailbook/core/actor"
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpFailure } from "./HttpFailure.ts"
import * as IpRateLimit from "./limit/IpRateLimit.ts"
import { type AuthenticatedRunner, runAsActor } from "./request/authentication.ts"
import type { RequestContext } from "./request/RequestContext.ts"
import type { Reply } from "./response/Reply.ts"
import type { AnyRoute } from "./Route.ts"

/**
 * Handles a request to a route. Checks the origin, address limits, caller, rate limit, scope, and body, in that order.
 */
export const handleRoute = (route: AnyRoute, admit: AuthenticatedRunner, clock: Clock.Clock) =>
(
  exchange: RequestContext,
  param: (name: string) => string
): Effect.Effect<Reply, Refusal | HttpFailure> => {
  const { connection: { goingDown, remoteAddress: address }, request } = exchange
  const { body, caller, limits = [], name } = route
  exchange.failed = route.renderError
  const originRefusal = route.refuse?.(request)
  if (originRefusal !== undefined) return Effect.fail(originRefusal)
  const limitRefusal = IpRateLimit.checkIpLimits(limits, address, clock.unsafeCurrentTimeMillis())
  if (limitRefusal !== undefined) return Effect.fail(limitRefusal)
  const baseRequest = { request, param, address, goingDown }
  // In a list of routes, each route's types are hidden. The cast is safe, because the actor and body come from the same
  // route.
  const toRouteRequest = (fields: { readonly actor: unknown; readonly body: unknown }) =>
    ({ ...baseRequest, ...fields }) as never
  const networks = address === undefined ? [] : [`network ${toNetwork(address)}`]
  const answerWithBody = (actor: unknown, owners = networks) =>
    body.within(request, (content) => route.answer(toRouteRequest({ actor, body: content })), owners)
  // The cast is safe, because public routes need no actor.
  if (caller === "anyone") return answerWithBody(undefined) as Effect.Effect<Reply, Refusal | HttpFailure>
  const { find, scope } = caller
  if (find === undefined) {
    return admit(exchange, ({ actor, context }) =>
      hasScope(actor, scope)
        ? runAsActor(context, answerWithBody(actor, [`org ${actor.orgId}`]))
        : refuse("forbidden", name, scope))
  }
  return Effect.flatMap(find(baseRequest), (actor) => {
    exchange.orgId = actor.orgId
    return hasScope(actor, scope)
      ? runAsActor(Context.make(Actor, actor), answerWithBody(actor, [...networks, `org ${actor.orgId}`]))
      : refuse("forbidden", name, scope)
  })
}
