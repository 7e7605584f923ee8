/**
 * The operations as one web-standard handler: it mounts in Next, Hono, Express,
 * Bun or Deno, and `serve` runs it on Node.
 *
 * A request may not cost much more than the booking it reads. So one runtime is
 * captured here; a request is one fiber in it, and most are done before
 * `runFork` returns, so their response is made without a promise. Nothing is
 * provided by layers and no span is made for a request.
 *
 * @since 0.1.0
 */
import { Actor } from "@trailbook/core/actor/Actor"
import { ApiKeys } from "@trailbook/core/actor/ApiKeys"
import type { Operation } from "@trailbook/core/operation/Operation"
import { Registry } from "@trailbook/core/operation/Registry"
import type { Refusal } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { type Context, Hono } from "hono"
import { authenticate } from "./authenticate.ts"
import type { Connection } from "./Connection.ts"
import * as Exchange from "./Exchange.ts"
import type { Failure } from "./Failure.ts"
import { finish } from "./finish.ts"
import * as health from "./health.ts"
import * as Input from "./input.ts"
import type { Log } from "./LogEntry.ts"
import * as RateLimit from "./RateLimit.ts"
import * as reference from "./reference.ts"
import * as Reply from "./Reply.ts"
import * as run from "./run.ts"
import * as unrouted from "./unrouted.ts"

/**
 * A host passes the request; a server of its own may say more of the connection.
 *
 * @since 0.1.0
 * @category models
 */
export type Handler = (request: Request, connection?: Connection) => Response | Promise<Response>

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Whether the service can do its work; asked by `/readyz`. */
  readonly ready?: Effect.Effect<boolean>
  readonly rateLimit?: RateLimit.Options
  readonly log?: Log
  /** Where the service is reached, such as `https://book.example.com`, for the machine-readable description. */
  readonly publicUrl?: string
}

type Answer = (exchange: Exchange.Exchange, c: Context) => Effect.Effect<Reply.Reply, Refusal | Failure>

const base = "/v1"

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Effect.Effect<Handler, never, Registry | ApiKeys> =>
  Effect.gen(function*() {
    const registry = yield* Registry
    const clock = yield* Effect.clock
    const limit = RateLimit.make(options.rateLimit)
    const actorOf = authenticate(yield* ApiKeys, limit, clock)
    const respond = yield* run.make(finish({ clock, limit, log: options.log }))

    const app = new Hono<{ Bindings: Connection }>()
    const route = (method: string, path: string, answer: Answer, operation?: Operation.Any) => {
      // A write goes on when its caller hangs up: sent again with the same key, it gets its answer.
      const interruptible = method === "GET"
      app.on(method, path, (c) => {
        const exchange = Exchange.begin(c.req.raw, c.env, path, operation?.name)
        return respond(exchange, answer(exchange, c), interruptible)
      })
    }

    for (const operation of registry.operations) {
      route(operation.method, base + operation.path, operationAnswer(registry, operation, actorOf), operation)
    }
    for (const [path, answer] of health.routes(options.ready)) route("GET", path, answer)
    for (const [path, answer] of reference.routes(registry.operations, base, options.publicUrl)) {
      route("GET", path, answer)
    }
    app.notFound((c) => {
      const exchange = Exchange.begin(c.req.raw, c.env)
      return respond(exchange, unrouted.answer(app.router, c.req), false)
    })

    return (request, connection = unknown) => app.fetch(request, connection)
  })

const unknown: Connection = {}

const operationAnswer = (
  { run }: Registry["Type"],
  operation: Operation.Any,
  actorOf: ReturnType<typeof authenticate>
): Answer => {
  const inputOf = Input.make(operation)
  const { name, scope, status } = operation
  return (exchange, c) =>
    Effect.flatMap(actorOf(exchange), (actor) => {
      // The registry refuses whoever lacks the scope before it looks at the input, so there is no need to read it.
      const input = actor.scopes.has(scope)
        ? inputOf(exchange.request, (name) => c.req.param(name))
        : Effect.succeed({})
      const output = Effect.flatMap(input, (input) => Effect.provideService(run(name, input), Actor, actor))
      return Effect.map(output, (output) => Reply.json(status, output))
    })
}
