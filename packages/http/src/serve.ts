/** Runs the handler on Node's HTTP server. */
import { getRequestListener, RequestError } from "@hono/node-server"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { setMaxListeners } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerOptions } from "node:http"
import * as ClientErrors from "./connection/ClientErrorHandler.ts"
import type { Connection } from "./connection/Connection.ts"
import { processRequestsSequentially, trackConnections } from "./connection/ConnectionTracker.ts"
import { type ListenError, toListenError } from "./connection/ListenError.ts"
import { shutDownGracefully } from "./connection/shutDownGracefully.ts"
import type { Handler } from "./handler.ts"
import type { LogEntryWriter } from "./LogEntry.ts"
import { sharedUnsentByteTracker } from "./response/UnsentByteTracker.ts"

export interface Options {
  readonly handler: Handler
  /** The host to listen on. Default: `127.0.0.1`, so that external connections must be allowed explicitly. */
  readonly host?: string
  /** The port to listen on. 0 selects any free port. */
  readonly port: number
  /** Logs errors that never reach the handler, such as malformed HTTP. */
  readonly log?: LogEntryWriter
  /** The timeout for receiving the request headers. Default: 10 seconds. */
  readonly headersTimeout?: Duration.DurationInput
  /** The timeout for receiving the entire request. Default: 30 seconds. */
  readonly requestTimeout?: Duration.DurationInput
  /** The idle timeout between requests. Default: 5 seconds. */
  readonly keepAliveTimeout?: Duration.DurationInput
  /** The timeout for a response that is not ready or that the client does not read. Default: 2 minutes. */
  readonly stallTimeout?: Duration.DurationInput
  /** The maximum number of open connections. Default: 900, because many systems limit a process to 1,024 open files. */
  readonly maxConnections?: number
  /**
   * The maximum number of open connections per IPv4 address or IPv6 /64 network. Default: a quarter of
   * `maxConnections`.
   */
  readonly maxConnectionsPerNetwork?: number
  /**
   * Whether a peer is a proxy that many callers share. The per-network limit does not apply to such a proxy. Default:
   * none.
   */
  readonly isProxy?: (address: string) => boolean
  /**
   * How long readiness checks fail before the listener closes, so that proxies stop sending requests. If the delay is
   * 0, idle connections are closed when the listener closes. Default: 0.
   */
  readonly delay?: Duration.DurationInput
  /** The grace period for in-flight requests once the listener is closed. Default: 10 seconds. */
  readonly grace?: Duration.DurationInput
  /** Returns the client address from a proxy's header. Default: the socket's peer address. */
  readonly remoteAddressOf?: (incoming: IncomingMessage) => string | undefined
}

export interface ListenAddress {
  readonly host: string
  /** The actual port, even if port 0 was requested. */
  readonly port: number
}

/**
 * Listens until the scope closes, and then shuts down gracefully. First, readiness checks fail. After the delay, the
 * server refuses new connections, and each connection closes with its next response. Requests in flight can finish
 * until the grace period ends.
 */
export const listen = (options: Options): Effect.Effect<ListenAddress, ListenError, Scope.Scope> =>
  Effect.gen(function*() {
    const errorHandler = ClientErrors.make(yield* Effect.clock, options.log)
    const shutdown = new AbortController()
    // Remove the listener limit, because every open-ended response adds a listener.
    setMaxListeners(0, shutdown.signal)
    const state: State = { leaving: false, goingDown: shutdown.signal }
    const server = makeServer(options, errorHandler, state)
    const max = options.maxConnections ?? 900
    const maxPerNetwork = options.maxConnectionsPerNetwork ?? Math.ceil(max / 4)
    const connections = trackConnections(server, { max, maxPerNetwork, isProxy: options.isProxy })
    yield* Effect.acquireRelease(bind(server, options.host ?? "127.0.0.1", options.port), () =>
      Effect.gen(function*() {
        const delay = Duration.decode(options.delay ?? 0)
        const keepsIdle = Duration.greaterThan(delay, 0)
        state.leaving = true
        if (keepsIdle) yield* Effect.sleep(delay)
        shutdown.abort()
        yield* shutDownGracefully(server, connections, { grace: options.grace ?? "10 seconds", keepsIdle })
      }))
    server.on("error", errorHandler.onServerError)
    const address = server.address()
    return typeof address === "object" && address !== null
      ? { host: address.address, port: address.port }
      : yield* Effect.dieMessage("Invariant violated: listening server without an address")
  })

interface State {
  leaving: boolean
  readonly goingDown: AbortSignal
}

const makeServer = (options: Options, errorHandler: ClientErrors.ClientErrorHandler, state: State): Server => {
  const remoteAddressOf = options.remoteAddressOf ?? (({ socket }) => socket.remoteAddress)
  const respond = getRequestListener(
    (request, { incoming }) =>
      hasManyHosts(incoming.rawHeaders)
        ? errorHandler.response(manyHosts)
        : options.handler(request, new NodeConnection(incoming as IncomingMessage, state, remoteAddressOf)),
    { errorHandler: errorHandler.response }
  )
  const onRequest = processRequestsSequentially((incoming: IncomingMessage, outgoing) => {
    // HTTP/1.0, which some load balancers still use for probes, has no Host header.
    if (incoming.httpVersion === "1.0") incoming.headers.host ??= "localhost"
    declareMissingBody(incoming)
    void respond(incoming, outgoing)
  })
  const server = createServer(toServerOptions(options), onRequest)
  // Handle requests with an unknown `Expect` header instead of rejecting them.
  server.on("checkExpectation", onRequest)
  server.on("clientError", errorHandler.onClientError)
  server.timeout = Duration.toMillis(options.stallTimeout ?? "2 minutes")
  return server
}

/**
 * Sets the length of a request without a body to 0. Without a length, reading the missing body would create a stream,
 * which allocates about 80 kB. A request without these headers has no body (RFC 9112 §6.3).
 */
const declareMissingBody = ({ headers, method, rawHeaders }: IncomingMessage): void => {
  const isLengthMissing = headers["content-length"] === undefined && headers["transfer-encoding"] === undefined
  if (isLengthMissing && method !== "GET" && method !== "HEAD") rawHeaders.push("content-length", "0")
}

/**
 * Whether a request has several Host headers. Such a request is ambiguous, because Node uses the first header, but a
 * proxy might have used another.
 */
const hasManyHosts = (rawHeaders: ReadonlyArray<string>): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts > 1
}

const manyHosts = new RequestError("Many hosts")

const toServerOptions = (options: Options): ServerOptions => ({
  headersTimeout: Duration.toMillis(options.headersTimeout ?? "10 seconds"),
  requestTimeout: Duration.toMillis(options.requestTimeout ?? "30 seconds"),
  keepAliveTimeout: Duration.toMillis(options.keepAliveTimeout ?? "5 seconds"),
  // How often Node checks the header and request timeouts. Its default of 30 seconds is too coarse for these timeouts.
  connectionsCheckingInterval: 1000,
  // Node would send an empty response to a request without a Host header. Our listener responds with an error body
  // instead.
  requireHostHeader: false
})

/** A request's connection details, which are computed on first use because few requests need them. */
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

  get leaving(): boolean {
    return this.#state.leaving
  }

  get draining(): boolean {
    return this.#state.goingDown.aborted
  }

  onWrite(bytes: number): void {
    sharedUnsentByteTracker.recordGrowth(bytes)
  }

  onDisconnect(listener: () => void): () => void {
    const { socket } = this.#incoming
    socket.once("close", listener)
    return () => socket.off("close", listener)
  }

  get goingDown(): AbortSignal {
    return this.#state.goingDown
  }
}

const bind = (server: Server, host: string, port: number): Effect.Effect<void, ListenError> =>
  Effect.async((resume) => {
    const onError = (error: NodeJS.ErrnoException) => resume(Effect.fail(toListenError(error, host, port)))
    server.once("error", onError)
    server.listen(port, host, () => {
      server.off("error", onError)
      resume(Effect.void)
    })
  })
