/**
 * The operations as one web-standard handler: it mounts in Next, Hono, Express,
 * Bun or Deno, and `serve` runs it on Node.
 *
 * A request may not cost much more than the booking it reads. So it runs as one
 * bare fiber: no layer is provided for a request and no span is made.
 */
import type { Actor } from "@trailbook/core/actor/Actor"
import type { ApiKey } from "@trailbook/core/actor/ApiKey"
import { ApiKeys } from "@trailbook/core/actor/ApiKeys"
import { hasScope } from "@trailbook/core/actor/hasScope"
import { type Operation, ordinaryBodyBytes } from "@trailbook/core/operation/Operation"
import type { Tell } from "@trailbook/core/operation/Part"
import { Registry } from "@trailbook/core/operation/Registry"
import type { Refusal } from "@trailbook/core/Refusal"
import { KeyNetworks } from "@trailbook/core/staff/KeyNetworks"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Context as HonoContext, Hono } from "hono"
import { getPath } from "hono/utils/url"
import {
  type Authenticate,
  authenticate,
  type Authorize,
  bearer,
  makeKeyCallerCache,
  toCaller,
  withActor
} from "./authenticate.ts"
import { emitInChunks } from "./chunkReply.ts"
import type { Connection } from "./Connection.ts"
import type { Failure } from "./Failure.ts"
import * as Turns from "./FairQueue.ts"
import * as mounted from "./handleMount.ts"
import * as routed from "./handleRoute.ts"
import * as health from "./health.ts"
import * as Input from "./input.ts"
import type { Log } from "./LogEntry.ts"
import type { Mount } from "./Mount.ts"
import * as unrouted from "./notFound.ts"
import * as openapi from "./openapi/routes.ts"
import * as RateLimit from "./RateLimit.ts"
import * as Reply from "./Reply.ts"
import * as Exchange from "./RequestContext.ts"
import type { AnyRoute, RenderError } from "./Route.ts"
import * as Run from "./runHandler.ts"
import { streamReply } from "./streamReply.ts"
import { makeToResponse } from "./toResponse.ts"

/**
 * A host passes the request; a server of its own may say more of the connection.
 * What needs not wait is answered at once: a promise costs a read a tenth.
 */
export type Handler = (request: Request, connection?: Connection) => Response | Promise<Response>

export interface Options {
  /** Whether the process is any good still; asked by `/livez`. One whose database is closed is not. */
  readonly live?: Effect.Effect<boolean>
  /** Whether the service can do its work; asked by `/readyz`. */
  readonly ready?: Effect.Effect<boolean>
  readonly rateLimit?: RateLimit.Options
  readonly log?: Log
  /** Where the service is reached, such as `https://book.example.com`, for the machine-readable description. */
  readonly publicUrl?: string
  /** Other protocols, such as that of assistants. */
  readonly mounts?: ReadonlyArray<Mount>
  /** What is asked beside the operations, such as files. */
  readonly routes?: ReadonlyArray<AnyRoute>
  /** Off, only the routes, the mounts and the probes are there. */
  readonly operations?: "off"
  /** How a browser is told that there is nothing at an address; as JSON, like everybody else, when it is left out. */
  readonly lost?: RenderError
  /** Who asks; whose their API key is, when nothing is said. */
  readonly authorize?: Authorize
  /**
   * Where a host mounted the handler, such as `/booking`. A host that takes the prefix off itself may: every address
   * is known with and without it.
   */
  readonly basePath?: string
}

const base = "/v1"

export const make = (options: Options = {}): Effect.Effect<Handler, never, Registry | ApiKeys | KeyNetworks> =>
  Effect.gen(function*() {
    const registry = yield* Registry
    const clock = yield* Effect.clock
    const limit = RateLimit.make(options.rateLimit)
    const { verify } = yield* ApiKeys
    const networks = yield* KeyNetworks
    const byKey: Authorize<ApiKey> = ({ headers }, address) =>
      Effect.tap(verify(bearer(headers.get("authorization"))), (key) => networks.note(key, address))
    const operations = options.operations === "off" ? [] : registry.operations
    const reads = Turns.make({ each: 2, all: 3 })
    const writes = Turns.make({ each: 2, all: 6 })
    const admit = options.authorize === undefined
      ? authenticate(byKey, makeKeyCallerCache(), limit, clock)
      : authenticate(options.authorize, toCaller, limit, clock)
    const admittedTo = ({ tokens }: Mount): Authenticate => {
      if (tokens === undefined) return admit
      const tokenOf = ({ headers }: Request) => bearer(headers.get("authorization"))
      const byToken = authenticate((request) => tokens.verify(tokenOf(request)), toCaller, limit, clock)
      return (exchange, then) => (tokens.isOne(tokenOf(exchange.request)) ? byToken : admit)(exchange, then)
    }
    const run = yield* Run.make
    const charge = RateLimit.makeCharge(limit, clock)
    const end = makeToResponse({ charge, clock, limit, log: options.log })

    const app = new Hono<{ Bindings: Connection }>({ getPath: pathBelow(options.basePath) })
    for (const operation of operations) {
      const { method, name } = operation
      const path = base + operation.path
      const answer = answerOf(registry, operation, method === "GET" ? reads : writes)
      app.on(method, path, (c) => {
        const exchange = Exchange.make(c.req.raw, c.env, path, name)
        // A write goes on when its caller hangs up: sent again with the same key, it gets its answer.
        const interrupting = method === "GET" ? c.req.raw : undefined
        const onLength = (bytes: number) => charge(exchange, RateLimit.costOfBody(bytes))
        const answered = admit(exchange, ({ actor, context }) => withActor(context, answer(c, actor, onLength)))
        return run(answered, (exit) => end(exchange, exit), interrupting)
      })
    }

    for (const route of options.routes ?? []) {
      const answer = routed.handleRoute(route, admit, clock)
      app.on(route.method, route.path, (c) => {
        const exchange = Exchange.make(c.req.raw, c.env, route.path, route.name)
        const interrupting = route.method === "GET" ? c.req.raw : undefined
        return run(answer(exchange, (name) => c.req.param(name) ?? ""), (exit) => end(exchange, exit), interrupting)
      })
    }

    const largest = Math.max(ordinaryBodyBytes, ...operations.map(({ maxBodyBytes }) => maxBodyBytes))
    for (const mount of options.mounts ?? []) {
      const answer = mounted.handleMount(mount, {
        admit: admittedTo(mount),
        charge,
        maxBytes: largest + envelopeBytes,
        turns: Turns.make({ each: 1, all: 4 })
      })
      app.post(mount.path, (c) => {
        const exchange = Exchange.make(c.req.raw, c.env, mount.path)
        return run(answer(exchange), (exit) => end(exchange, exit))
      })
    }

    const described = operations.length === 0
      ? []
      : yield* openapi.routes(
        operations,
        options.routes ?? [],
        base,
        (options.publicUrl ?? "") + (options.basePath ?? "")
      )
    const documents = (options.mounts ?? []).flatMap((mount) => mounted.documents(mount))
    const open = [...health.routes(options), ...described, ...documents]
    for (const [path, answer] of open) {
      app.get(path, (c) => {
        const exchange = Exchange.make(c.req.raw, c.env, path)
        return run(answer(exchange), (exit) => end(exchange, exit))
      })
    }
    // Only the log itself can fail here. It is the host's, and so is its failure.
    app.onError((error) => {
      throw error
    })
    app.notFound((c) => {
      const exchange = Exchange.make(c.req.raw, c.env)
      if (isForPeople(c.req.raw)) exchange.failed = options.lost
      return run(unrouted.notFoundReply(app.router, c.req), (exit) => end(exchange, exit))
    })

    return (request, connection = {}) => app.fetch(request, connection)
  })

/** A mount wraps the input of an operation in messages of its protocol. */
const envelopeBytes = 16 * 1024

/** Browsers say that they take HTML; programs that would take anything do not. */
const isForPeople = ({ headers }: Request): boolean => headers.get("accept")?.includes("text/html") === true

const pathBelow = (basePath = "") => (request: Request): string => {
  const path = getPath(request)
  return basePath !== "" && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
}

type Answer<E = Refusal | Failure> = Effect.Effect<Reply.Reply, E, Actor>

const answerOf = (registry: Registry["Type"], operation: Operation.Any, turns: Turns.FairQueue) => {
  const inputOf = Input.make(operation)
  const { scope } = operation
  const reply = replyOf(registry, operation, turns)
  return (c: HonoContext, actor: Actor["Type"], onLength: (bytes: number) => void): Answer => {
    // The registry refuses whoever lacks the scope before it looks at the input, so there is no need to read it.
    if (!hasScope(actor, scope)) return reply({}, actor)
    const input = inputOf(c.req.raw, (name) => c.req.param(name), onLength)
    // An input without a body is there already, and needs no steps of the fiber.
    return Exit.isExit(input) && Exit.isSuccess(input)
      ? reply(input.value, actor)
      : Effect.flatMap(input, (input) => reply(input, actor))
  }
}

/** One thing is answered at once; all else in turn with other orgs, a long answer while it is made. */
const replyOf = (
  { run, tell }: Registry["Type"],
  { inParts, light, name, status }: Operation.Any,
  turns: Turns.FairQueue
): (input: unknown, actor: Actor["Type"]) => Answer<Refusal> => {
  if (inParts && light) {
    return (input, { orgId }) => streamReply(status, (to) => tell(name, input, to), heldForReader, orgId)
  }
  if (light) {
    const reply = (output: unknown) => Reply.json(status, output)
    return (input) => Effect.map(run(name, input), reply)
  }
  const telling = inParts ?
    tell :
    (name: string, input: unknown, to: Tell) => Effect.flatMap(run(name, input), (output) => emitInChunks(output, to))
  // Nobody's turn waits for who reads slowly: what such an answer holds has a bound.
  return (input, { orgId }) => streamReply(status, (to) => turns(orgId, telling(name, input, to)), Infinity, orgId)
}

/** So many characters of an answer without a bound wait for its reader. */
const heldForReader = 1024 * 1024
