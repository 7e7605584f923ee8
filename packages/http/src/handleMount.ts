import { Refusal } from "@trailbook/core"
import * as Effect from "effect/Effect"
import { HttpFailure } from "./HttpFailure.ts"
import type { FairQueue } from "./limit/FairQueue.ts"
import * as RateLimit from "./limit/RateLimit.ts"
import type { Mount } from "./Mount.ts"
import type { AuthenticatedRunner } from "./request/authentication.ts"
import * as Body from "./request/body.ts"
import type { RequestContext } from "./request/RequestContext.ts"
import * as Reply from "./response/Reply.ts"

type Answer = (exchange: RequestContext) => Effect.Effect<Reply.Reply, Refusal | HttpFailure>

export interface MountOptions {
  readonly admit: AuthenticatedRunner
  readonly charge: RateLimit.TokenCharger
  readonly maxBytes: number
  readonly turns: FairQueue
}

/**
 * Handles a request to a mount with the same checks as for an operation: the host and origin, the key, the rate limit,
 * the body, and the org's fair queue.
 */
export const handleMount = (mount: Mount, { admit, charge, maxBytes, turns }: MountOptions): Answer => (exchange) => {
  const { request } = exchange
  const refusal = mount.refuse(request)
  if (refusal !== undefined) return Effect.fail(refusal)
  const onOperation = (name: string) => {
    exchange.op = name
  }
  const onLength = (bytes: number) => charge(exchange, RateLimit.computeBodyCost(bytes))
  const reply = admit(exchange, ({ actor }) =>
    Effect.flatMap(
      Body.read(request, { check: mount.check, maxBytes, onLength, owners: [`org ${actor.orgId}`] }),
      (body) => turns(actor.orgId, mount.answer(request, { actor, body, onOperation }))
    ))
  // Only `admit` can fail with an authentication error.
  return Effect.mapError(reply, (error) => withChallenge(error, mount.challenge(request)))
}

/**
 * Returns the handlers for a mount's public documents, keyed by path. The mount's `refuse` check applies to them too.
 */
export const makeDocumentHandlers = (mount: Mount): ReadonlyArray<readonly [string, Answer]> =>
  Object.entries(mount.documents).map(([path, document]) => [
    path,
    ({ request }) =>
      Effect.suspend(() => {
        const refusal = mount.refuse(request)
        return refusal === undefined
          ? Effect.succeed(Reply.json(200, document(request)))
          : Effect.fail(refusal)
      })
  ])

const withChallenge = (error: Refusal | HttpFailure, challenge: string): Refusal | HttpFailure =>
  error instanceof Refusal && error.kind === "unauthorized"
    ? new HttpFailure(error, { "www-authenticate": challenge })
    : error
