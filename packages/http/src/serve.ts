/** The handler on Node's own server. */
import { getRequestListener, RequestError } from "@hono/node-server"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { setMaxListeners } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerOptions } from "node:http"
import * as Malformed from "./clientErrors.ts"
import type { Connection } from "./Connection.ts"
import { oneAtATime, trackConnections } from "./ConnectionTracker.ts"
import { gracefulShutdown } from "./gracefulShutdown.ts"
import type { Handler } from "./handler.ts"
import { type ListenError, listenError } from "./ListenError.ts"
import type { Log } from "./LogEntry.ts"
import { unsent } from "./unsent.ts"

export interface Options {
  readonly handler: Handler
  /** Default `127.0.0.1`: whoever wants to be reached from outside says so. */
  readonly host?: string
  /** 0 takes any free port. */
  readonly port: number
  /** For what the handler never hears of, such as bytes that are no HTTP. */
  readonly log?: Log
  /** How long the headers of a request may take. Default 10 seconds. */
  readonly headersTimeout?: Duration.DurationInput
  /** How long a whole request may take to arrive. Default 30 seconds. */
  readonly requestTimeout?: Duration.DurationInput
  /** How long a connection may wait for its next request. Default 5 seconds. */
  readonly keepAliveTimeout?: Duration.DurationInput
  /** How long a caller may take nothing of its answer, or be without one. Default 2 minutes. */
  readonly stallTimeout?: Duration.DurationInput
  /** How many connections may be open. Default 900: many systems allow a process 1,024 files. */
  readonly maxConnections?: number
  /** How many may be open from one IPv4 address or IPv6 /64. Default a quarter of `maxConnections`. */
  readonly maxConnectionsPerNetwork?: number
  /** Whether a peer is a proxy that many callers share. Its network has no limit of its own. Default: none is. */
  readonly isProxy?: (address: string) => boolean
  /** How long requests in flight may go on once the server goes down. Default 10 seconds. */
  readonly grace?: Duration.DurationInput
  /** Whose request it is, where a proxy in front says so in a header. Default: the other end of the socket. */
  readonly remoteAddressOf?: (incoming: IncomingMessage) => string | undefined
}

export interface Address {
  readonly host: string
  /** The port taken, also when 0 was asked for. */
  readonly port: number
}

/**
 * Listens until the scope closes, and then goes down without cutting anybody
 * off: it is no longer ready, takes no more connections, ends each with its next
 * answer, and waits for the requests in flight as long as the grace allows.
 */
export const listen = (options: Options): Effect.Effect<Address, ListenError, Scope.Scope> =>
  Effect.gen(function*() {
    const malformed = Malformed.make(yield* Effect.clock, options.log)
    const goingDown = new AbortController()
    // Every answer without an end listens to it.
    setMaxListeners(0, goingDown.signal)
    const state = { goingDown: goingDown.signal }
    const server = makeServer(options, malformed, state)
    const max = options.maxConnections ?? 900
    const maxPerNetwork = options.maxConnectionsPerNetwork ?? Math.ceil(max / 4)
    const connections = trackConnections(server, { max, maxPerNetwork, isProxy: options.isProxy })
    yield* Effect.acquireRelease(bind(server, options.host ?? "127.0.0.1", options.port), () =>
      Effect.suspend(() => {
        goingDown.abort()
        return gracefulShutdown(server, connections, options.grace ?? "10 seconds")
      }))
    server.on("error", malformed.onServerError)
    const bound = server.address()
    return typeof bound === "object" && bound !== null
      ? { host: bound.address, port: bound.port }
      : yield* Effect.dieMessage("A server on a port has an address.")
  })

interface State {
  readonly goingDown: AbortSignal
}

const makeServer = (options: Options, malformed: Malformed.ClientErrorHandler, state: State): Server => {
  const remoteAddressOf = options.remoteAddressOf ?? (({ socket }) => socket.remoteAddress)
  const answer = getRequestListener(
    (request, { incoming }) =>
      hasManyHosts(incoming.rawHeaders)
        ? malformed.response(manyHosts)
        : options.handler(request, new NodeConnection(incoming as IncomingMessage, state, remoteAddressOf)),
    { errorHandler: malformed.response }
  )
  const onRequest = oneAtATime((incoming: IncomingMessage, outgoing) => {
    // HTTP/1.0 has no Host, and load balancers still probe with it.
    if (incoming.httpVersion === "1.0") incoming.headers.host ??= "localhost"
    void answer(incoming, outgoing)
  })
  const server = createServer(timeouts(options), onRequest)
  // Whatever is expected besides a body, the request gets its answer.
  server.on("checkExpectation", onRequest)
  server.on("clientError", malformed.onClientError)
  server.timeout = Duration.toMillis(options.stallTimeout ?? "2 minutes")
  return server
}

/** Node takes the first, and what stands in front of it may have gone by another. */
const hasManyHosts = (rawHeaders: ReadonlyArray<string>): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts > 1
}

const manyHosts = new RequestError("Many hosts")

const timeouts = (options: Options): ServerOptions => ({
  headersTimeout: Duration.toMillis(options.headersTimeout ?? "10 seconds"),
  requestTimeout: Duration.toMillis(options.requestTimeout ?? "30 seconds"),
  keepAliveTimeout: Duration.toMillis(options.keepAliveTimeout ?? "5 seconds"),
  // How often the first two are looked after; Node's half a minute would be coarser than they are.
  connectionsCheckingInterval: 1000,
  // Node would refuse a request without a host with an empty answer; the listener does it in our own words.
  requireHostHeader: false
})

/** Little of this is asked for, so it is worked out when it is. */
class NodeConnection implements Connection {
  readonly #incoming: IncomingMessage
  readonly #state: State
  readonly #remoteAddressOf: (incoming: IncomingMessage) => string | undefined

  constructor(
    incoming: IncomingMessage,
    state: State,
    remoteAddressOf: (incoming: IncomingMessage) => string | undefined
  ) {
    this.#incoming = incoming
    this.#state = state
    this.#remoteAddressOf = remoteAddressOf
  }

  get remoteAddress(): string | undefined {
    return this.#remoteAddressOf(this.#incoming)
  }

  get draining(): boolean {
    return this.#state.goingDown.aborted
  }

  onWrite(bytes: number): void {
    unsent.grew(bytes)
  }

  get goingDown(): AbortSignal {
    return this.#state.goingDown
  }
}

const bind = (server: Server, host: string, port: number): Effect.Effect<void, ListenError> =>
  Effect.async((resume) => {
    const onError = (error: NodeJS.ErrnoException) => resume(Effect.fail(listenError(error, host, port)))
    server.once("error", onError)
    server.listen(port, host, () => {
      server.off("error", onError)
      resume(Effect.void)
    })
  })
