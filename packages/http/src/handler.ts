/**
 * Serves the operations through a single web-standard handler. Mount it in Next, Hono, Express, Bun, or Deno, or run it
 * on Node with `serve`.
 *
 * A request must not cost much more than its database query, so each request runs in a single fiber without its own
 * layers or spans.
 */
import { Refusal, refuse } from "@trailbook/core"
import { type Actor, type ApiKey, ApiKeys, isPermitted } from "@trailbook/core/actor"
import { type Emit, Registry } from "@trailbook/core/operation"
import { defaultMaxBodyBytes, type Operation } from "@trailbook/core/operation/Operation"
import { ApiKeyNetworks } from "@trailbook/core/staff"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as HashSet from "effect/HashSet"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import { type Context as HonoContext, Hono, type HonoRequest } from "hono"
import type { Router } from "hono/router"
import { getPath } from "hono/utils/url"
import type { Connection } from "./connection/Connection.ts"
import * as mounted from "./handleMount.ts"
import * as routed from "./handleRoute.ts"
import * as health from "./health.ts"
import { HttpFailure } from "./HttpFailure.ts"
import * as Turns from "./limit/FairQueue.ts"
import * as RateLimit from "./limit/RateLimit.ts"
import type { LogEntryWriter } from "./LogEntry.ts"
import { maxEnvelopeBytes, type Mount } from "./Mount.ts"
import * as openapi from "./openapi/routes.ts"
import {
  type AuthenticatedRunner,
  makeApiKeyCallerCache,
  makeAuthentication,
  parseBearerKey,
  type RequestAuthenticator,
  runAsActor,
  toAuthenticatedCaller
} from "./request/authentication.ts"
import * as Input from "./request/InputReader.ts"
import * as RequestContext from "./request/RequestContext.ts"
import * as Reply from "./response/Reply.ts"
import { emitResponseInChunks, maxUnreadCharacters, streamReply } from "./response/streamReply.ts"
import { makeToResponse } from "./response/toResponse.ts"
import type { AnyRoute, ErrorRenderer } from "./Route.ts"

/**
 * Handles a request, with connection details if the server provides them. Returns synchronously if possible, because a
 * promise adds 10% to the cost of a read.
 */
export type Handler = (request: Request, connection?: Connection) => Response | Promise<Response>

export interface Options {
  /** The liveness check for `/livez`, which returns false once the database is closed. */
  readonly live?: Effect.Effect<boolean>
  /** The readiness check for `/readyz`. */
  readonly ready?: Effect.Effect<boolean>
  readonly rateLimit?: RateLimit.Options
  readonly log?: LogEntryWriter
  /** Traces each request. */
  readonly trace?: RequestTracer
  /** The public URL for the OpenAPI document, such as `https://book.example.com`. */
  readonly publicUrl?: string
  /** Other protocols, such as MCP. */
  readonly mounts?: ReadonlyArray<Mount>
  /** Endpoints other than operations, such as files. */
  readonly routes?: ReadonlyArray<AnyRoute>
  /** If `off`, the handler serves only the routes, mounts, and probes. */
  readonly operations?: "off"
  /** Renders 404 errors for browsers. Default: JSON. */
  readonly renderNotFound?: ErrorRenderer
  /** Identifies the caller. Default: checks the API key. */
  readonly authorize?: RequestAuthenticator
  /**
   * The path where a host mounted the handler, such as `/booking`. Paths match with or without this prefix, because
   * some hosts strip it.
   */
  readonly basePath?: string
}

/** Runs a request's effect in a span. */
export type RequestTracer = (
  exchange: RequestContext.RequestContext,
  answer: Effect.Effect<Reply.Reply, Refusal | HttpFailure>
) => Effect.Effect<Reply.Reply, Refusal | HttpFailure>

const base = "/v1"

export const make = (options: Options = {}): Effect.Effect<Handler, never, Registry | ApiKeys | ApiKeyNetworks> =>
  Effect.gen(function*() {
    const registry = yield* Registry
    const clock = yield* Effect.clock
    const limit = RateLimit.make(options.rateLimit)
    const { lastOpened, verify } = yield* ApiKeys
    const networks = yield* ApiKeyNetworks
    const getToken = ({ headers }: Request) => parseBearerKey(headers.get("authorization"))
    const authorizeByKey: RequestAuthenticator<ApiKey> = (request, address) =>
      Effect.tap(verify(getToken(request)), (key) => networks.recordInBackground(key, address))
    const operations = options.operations === "off" ? [] : registry.operations
    const runReadQueued = Turns.make({ each: 2, all: 3 })
    const runWriteQueued = Turns.make({ each: 2, all: 6 })
    const { admit, admitRead } = options.authorize === undefined
      ? makeAuthentication(
        authorizeByKey,
        makeApiKeyCallerCache(),
        limit,
        clock,
        (request) => lastOpened(getToken(request))
      )
      : makeAuthentication(options.authorize, toAuthenticatedCaller, limit, clock)
    const makeMountAdmit = ({ tokens }: Mount): AuthenticatedRunner => {
      if (tokens === undefined) return admit
      const { admit: admitByToken } = makeAuthentication(
        (request) => tokens.verify(getToken(request)),
        toAuthenticatedCaller,
        limit,
        clock
      )
      return (exchange, then) => (tokens.isToken(getToken(exchange.request)) ? admitByToken : admit)(exchange, then)
    }
    const run = yield* makeRun(options.trace)
    const charge = RateLimit.makeTokenCharger(limit, clock)
    const toResponse = makeToResponse({ charge, clock, limit, log: options.log })

    const app = new Hono<{ Bindings: Connection }>({ getPath: makeGetPath(options.basePath) })
    for (const operation of operations) {
      const { chunked, light, method, name } = operation
      const path = base + operation.path
      const respond = makeRespond(registry, operation, method === "GET" ? runReadQueued : runWriteQueued)
      // Lists and searches wait until the key has been checked, because even their first statement can be expensive.
      const admitCaller = method === "GET" && (light || chunked) ? admitRead : admit
      app.on(method, path, (c) => {
        const exchange = RequestContext.make(c.req.raw, c.env, path, name)
        const onLength = (bytes: number) => charge(exchange, RateLimit.computeBodyCost(bytes))
        const reply = admitCaller(exchange, ({ actor, context }) => runAsActor(context, respond(c, actor, onLength)))
        // A write continues if its client disconnects. To get the result, the client can retry with the same
        // idempotency key.
        return run(exchange, reply, toResponse, method === "GET")
      })
    }

    for (const route of options.routes ?? []) {
      const respond = routed.handleRoute(route, admit, clock)
      app.on(route.method, route.path, (c) => {
        const exchange = RequestContext.make(c.req.raw, c.env, route.path, route.name)
        return run(exchange, respond(exchange, (name) => c.req.param(name) ?? ""), toResponse, route.method === "GET")
      })
    }

    const largestBodyBytes = Math.max(
      defaultMaxBodyBytes,
      ...registry.operations.map(({ maxBodyBytes }) => maxBodyBytes)
    )
    for (const mount of options.mounts ?? []) {
      const respond = mounted.handleMount(mount, {
        admit: makeMountAdmit(mount),
        charge,
        maxBytes: largestBodyBytes + maxEnvelopeBytes,
        turns: Turns.make({ each: 1, all: 4 })
      })
      app.post(mount.path, (c) => {
        const exchange = RequestContext.make(c.req.raw, c.env, mount.path)
        return run(exchange, respond(exchange), toResponse)
      })
    }

    const openapiRoutes = operations.length === 0
      ? []
      : yield* openapi.routes(
        operations,
        options.routes ?? [],
        base,
        (options.publicUrl ?? "") + (options.basePath ?? "")
      )
    const documents = (options.mounts ?? []).flatMap((mount) => mounted.makeDocumentHandlers(mount))
    const openRoutes = [...health.routes(options), ...openapiRoutes, ...documents]
    for (const [path, respond] of openRoutes) {
      app.get(path, (c) => {
        const exchange = RequestContext.make(c.req.raw, c.env, path)
        return run(exchange, respond(exchange), toResponse)
      })
    }
    // Only the host's `log` function can throw here, so let the host handle its error.
    app.onError((error) => {
      throw error
    })
    app.notFound((c) => {
      const exchange = RequestContext.make(c.req.raw, c.env)
      if (isFromBrowser(c.req.raw)) exchange.failed = options.renderNotFound
      return run(exchange, notFoundReply(app.router, c.req), toResponse)
    })

    return (request, connection = {}) => app.fetch(request, connection)
  })

/**
 * Whether a browser sent the request. Browsers ask for HTML explicitly, whereas other programs usually accept any type.
 */
const isFromBrowser = ({ headers }: Request): boolean => headers.get("accept")?.includes("text/html") === true

const makeGetPath = (basePath = "") => (request: Request): string => {
  const path = getPath(request)
  return basePath !== "" && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
}

type ReplyEffect<E = Refusal | HttpFailure> = Effect.Effect<Reply.Reply, E, Actor>

const makeRespond = (registry: Registry["Type"], operation: Operation.Any, runQueued: Turns.FairQueue) => {
  const readInput = Input.make(operation)
  const reply = makeReply(registry, operation, runQueued)
  return (c: HonoContext, actor: Actor["Type"], onLength: (bytes: number) => void): ReplyEffect => {
    // Do not read the body, because the registry rejects a caller without the scope before it validates the input.
    if (!isPermitted(actor, operation)) return reply({}, actor)
    const input = readInput(c.req.raw, (name) => c.req.param(name), { onLength, owners: [`org ${actor.orgId}`] })
    // Without a body, the input is available synchronously.
    return Exit.isExit(input) && Exit.isSuccess(input)
      ? reply(input.value, actor)
      : Effect.flatMap(input, (input) => reply(input, actor))
  }
}

/**
 * Runs an operation. Single resources are sent immediately. Lists wait in the fair queue, and long responses are
 * streamed.
 */
const makeReply = (
  { run, stream }: Registry["Type"],
  { chunked, light, name, status }: Operation.Any,
  runQueued: Turns.FairQueue
): (input: unknown, actor: Actor["Type"]) => ReplyEffect<Refusal> => {
  if (chunked && light) {
    return (input, { orgId }) => streamReply(status, (emit) => stream(name, input, emit), maxUnreadCharacters, orgId)
  }
  if (light) {
    const reply = (output: unknown) => Reply.json(status, output)
    return (input) => Effect.map(run(name, input), reply)
  }
  const emitBody = chunked ?
    stream :
    (name: string, input: unknown, emit: Emit) =>
      Effect.flatMap(run(name, input), (output) => emitResponseInChunks(output, emit))
  // Do not pause for a slow reader, because the paused response would occupy a slot in the queue. The response size is
  // limited.
  return (input, { orgId }) =>
    streamReply(status, (emit) => runQueued(orgId, emitBody(name, input, emit)), Infinity, orgId)
}

/**
 * Runs an effect. Returns its result synchronously if the effect never had to wait, and as a promise otherwise. If the
 * client disconnects during a read, the effect is interrupted. The effect's log entries include the request ID. The
 * effect inherits the clock and settings of the fiber that created this function, but not its services.
 */
const makeRun = (trace: RequestTracer | undefined) =>
  Effect.map(Effect.runtime(), ({ fiberRefs: inheritedRefs, runtimeFlags: flags }) => {
    const loggers = HashSet.map(
      FiberRefs.getOrDefault(inheritedRefs, FiberRef.currentLoggers),
      RequestContext.annotateLogger
    )
    const fiberRefs = FiberRefs.updateAs(inheritedRefs, {
      fiberId: FiberId.none,
      fiberRef: FiberRef.currentLoggers,
      value: loggers
    })
    // Disable fiber metrics, which are unused and would slow down every request.
    const runtimeFlags = RuntimeFlags.disable(flags, RuntimeFlags.RuntimeMetrics)
    const fork = Runtime.runFork(Runtime.make({ context: Context.empty(), fiberRefs, runtimeFlags }))
    return (
      exchange: RequestContext.RequestContext,
      effect: Effect.Effect<Reply.Reply, Refusal | HttpFailure>,
      toResponse: (
        exchange: RequestContext.RequestContext,
        exit: Exit.Exit<Reply.Reply, Refusal | HttpFailure>
      ) => Response | Promise<Response>,
      isRead = false
    ): Response | Promise<Response> => {
      const { connection, request } = exchange
      const tracedEffect = trace === undefined ? effect : trace(exchange, effect)
      const updateRefs = RequestContext.setCurrent(exchange)
      const fiber = fork(tracedEffect, { immediate: true, updateRefs })
      const exit = fiber.unsafePoll()
      if (exit !== null) return toResponse(exchange, exit)
      if (isRead) {
        const interrupt = () => fiber.unsafeInterruptAsFork(FiberId.none)
        if (connection.onDisconnect === undefined) request.signal.addEventListener("abort", interrupt, { once: true })
        else fiber.addObserver(connection.onDisconnect(interrupt))
      }
      return new Promise<Exit.Exit<Reply.Reply, Refusal | HttpFailure>>((resolve) => fiber.addObserver(resolve)).then((
        exit
      ) => toResponse(exchange, exit))
    }
  })

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** Responds to a request that matches no route, because its path is unknown or does not support the method. */
const notFoundReply = (
  router: Router<unknown>,
  { method, path }: Pick<HonoRequest, "method" | "path">
): Effect.Effect<Reply.Reply, HttpFailure | Refusal> => {
  const matches = methods.filter((method) => router.match(method, path)[0].length > 0)
  if (matches.length === 0) return Effect.fail(notFound)
  const allow = matches.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]).concat("OPTIONS").join(", ")
  return method === "OPTIONS"
    ? Effect.succeed({ status: 204, body: null, headers: { allow } })
    : Effect.fail(new HttpFailure(refuse("method_not_allowed", allow), { allow }))
}

const notFound = new Refusal({ code: "not_found", message: "No resource exists at this URL." })
