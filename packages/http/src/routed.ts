import { may } from "@trailbook/core/actor/may"
import { type Refusal, refuse } from "@trailbook/core/Refusal"
import type * as Effect from "effect/Effect"
import { actingIn, type Authenticate } from "./authenticate.ts"
import type { Exchange } from "./Exchange.ts"
import type { Failure } from "./Failure.ts"
import type { Reply } from "./Reply.ts"
import type { AnyRoute } from "./Route.ts"

/**
 * Lets a request in to a route: who asks, then the limit, then the scope, then the
 * body, then the answer.
 *
 * @category constructors
 */
export const answer = (route: AnyRoute, admit: Authenticate) =>
(
  exchange: Exchange,
  param: (name: string) => string
): Effect.Effect<Reply, Refusal | Failure> => {
  const { request } = exchange
  const { body, caller, name } = route
  // In a list of routes nobody knows what each asks for; here each is given what its own kinds make.
  const asked = (rest: { readonly actor: unknown; readonly body: unknown }) => ({ request, param, ...rest }) as never
  const within = (actor: unknown) => body.within(request, (read) => route.answer(asked({ actor, body: read })))
  // To anybody it answers without an actor, and so needs none.
  if (caller === "anybody") return within(undefined) as Effect.Effect<Reply, Refusal | Failure>
  return admit(exchange, ({ actor, context }) =>
    may(actor, caller.scope)
      ? actingIn(context, within(actor))
      : refuse("forbidden", name, caller.scope))
}
