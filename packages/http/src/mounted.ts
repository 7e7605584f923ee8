/**
 * @since 0.1.0
 */
import type { Actor } from "@trailbook/core/actor/Actor"
import { Refusal } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import { type Authenticate, bearer, type Verify } from "./authenticate.ts"
import * as Body from "./body.ts"
import type { Exchange } from "./Exchange.ts"
import { Failure } from "./Failure.ts"
import type { Mount } from "./Mount.ts"
import * as Reply from "./Reply.ts"

type Answer = (exchange: Exchange) => Effect.Effect<Reply.Reply, Refusal | Failure>

/**
 * Lets a request in to a mount as the operations let theirs in: host and origin,
 * then the key, then the limit, then the body.
 *
 * @since 0.1.0
 * @category constructors
 */
export const answer = (mount: Mount, verify: Verify, admit: Authenticate): Answer => (exchange) => {
  const { request } = exchange
  const refused = mount.refuse(request)
  if (refused !== undefined) return Effect.fail(refused)
  const token = bearer(request.headers.get("authorization"))
  return Effect.exit(verify(token)).pipe(
    Effect.flatMap((key): Exit.Exit<Actor["Type"], Refusal | Failure> => admit(exchange, key)),
    Effect.mapError((error) => challenged(error, mount.challenge(request))),
    Effect.bindTo("actor"),
    Effect.bind("body", () => Body.read(request)),
    Effect.flatMap(({ actor, body }) =>
      Effect.promise(() =>
        mount.answer(request, {
          actor: { ...actor, source: mount.source },
          body,
          onOperation: (name) => {
            exchange.op = name
          }
        }).then(replyOf)
      )
    )
  )
}

/**
 * The open documents of a mount, guarded as it is.
 *
 * @since 0.1.0
 * @category constructors
 */
export const documents = (mount: Mount): ReadonlyArray<readonly [string, Answer]> =>
  Object.entries(mount.documents).map(([path, document]) => [
    path,
    ({ request }) =>
      Effect.suspend(() => {
        const refused = mount.refuse(request)
        return refused === undefined
          ? Effect.succeed(Reply.json(200, document(request)))
          : Effect.fail(refused)
      })
  ])

const challenged = (error: Refusal | Failure, challenge: string): Refusal | Failure =>
  error instanceof Refusal && error.kind === "unauthorized"
    ? new Failure(401, error.code, error.message, { "www-authenticate": challenge })
    : error

/** Whole, because every answer is small JSON; the headers of every answer are added to it. */
const replyOf = async (response: Response): Promise<Reply.Reply> => {
  const type = response.headers.get("content-type")
  return {
    status: response.status,
    body: response.body === null ? null : await response.text(),
    ...(type === null ? {} : { headers: { "content-type": type } })
  }
}
