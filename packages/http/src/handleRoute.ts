import { Actor } from "@trailbook/core/actor/Actor"
import { hasScope } from "@trailbook/core/actor/hasScope"
import { toNetwork } from "@trailbook/core/actor/toNetwork"
import { type Refusal, refuse } from "@trailbook/core/Refusal"
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Authenticate, withActor } from "./authenticate.ts"
import type { Failure } from "./Failure.ts"
import * as AddressLimit from "./IpRateLimit.ts"
import type { Reply } from "./Reply.ts"
import type { RequestContext } from "./RequestContext.ts"
import type { AnyRoute } from "./Route.ts"

/**
 * Lets a request in to a route: whether it comes from where it may, and how often; who asks, then their limit, then
 * the scope, then the body, then the answer.
 */
export const handleRoute = (route: AnyRoute, admit: Authenticate, clock: Clock.Clock) =>
(
  exchange: RequestContext,
  param: (name: string) => string
): Effect.Effect<Reply, Refusal | Failure> => {
  const { connection: { goingDown, remoteAddress: address }, request } = exchange
  const { body, caller, limits = [], name } = route
  exchange.failed = route.failed
  const foreign = route.refuse?.(request)
  if (foreign !== undefined) return Effect.fail(foreign)
  const often = AddressLimit.checkIpLimits(limits, address, clock.unsafeCurrentTimeMillis())
  if (often !== undefined) return Effect.fail(often)
  const asking = { request, param, address, goingDown }
  // In a list of routes nobody knows what each asks for; here each is given what its own kinds make.
  const asked = (rest: { readonly actor: unknown; readonly body: unknown }) => ({ ...asking, ...rest }) as never
  const networks = address === undefined ? [] : [`network ${toNetwork(address)}`]
  const within = (actor: unknown, owners = networks) =>
    body.within(request, (read) => route.answer(asked({ actor, body: read })), owners)
  // To anybody it answers without an actor, and so needs none.
  if (caller === "anybody") return within(undefined) as Effect.Effect<Reply, Refusal | Failure>
  const { find, scope } = caller
  if (find === undefined) {
    return admit(exchange, ({ actor, context }) =>
      hasScope(actor, scope)
        ? withActor(context, within(actor, [`org ${actor.orgId}`]))
        : refuse("forbidden", name, scope))
  }
  return Effect.flatMap(find(asking), (actor) => {
    exchange.orgId = actor.orgId
    return hasScope(actor, scope)
      ? withActor(Context.make(Actor, actor), within(actor, [...networks, `org ${actor.orgId}`]))
      : refuse("forbidden", name, scope)
  })
}
