import { currentTraceHeaders, type TraceHeaders } from "@trailbook/core/port"
import { type Delivery, type SendResult, WebhookSender } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { type OutgoingHttpHeaders, request } from "node:http"
import type { Socket } from "node:net"
import type { SecureContextOptions } from "node:tls"
import { makeAllowedNetworks } from "./addresses.ts"
import * as Destination from "./Destination.ts"
import { type DnsResolver, makeDnsResolver } from "./DnsResolver.ts"
import { IdleConnections } from "./IdleConnections.ts"
import { connectToAddresses, openConnection, type SocketConnector } from "./openConnection.ts"
import { makeSignatureHeaders } from "./signatureHeaders.ts"
import { makeSsrfGuard, resolveAllowedAddresses, type SsrfGuard } from "./SsrfGuard.ts"

export interface Options {
  /**
   * Networks to allow in addition to public addresses, such as `127.0.0.0/8`, even over `http`. Operators use this for
   * receivers on their own network. An invalid network is a defect, so validate it with `findNetworkError`.
   */
  readonly allow?: ReadonlyArray<string>
  /** The `User-Agent` header, including a version. */
  readonly userAgent?: string
}

/** The network functions, which tests replace. */
export interface NetworkFunctions {
  readonly resolve: DnsResolver
  readonly connect: SocketConnector
  readonly guard: SsrfGuard
  readonly tls: Pick<SecureContextOptions, "ca">
  /** How long a connection stays open for the endpoint's next event, in milliseconds. */
  readonly idleMs: number
}

/**
 * Sends deliveries with `node:http`. Connects only to public addresses and the networks in `allow`. Follows no
 * redirects, ignores proxy environment variables, and sends no cookies or credentials. The DNS lookup, connection, TLS
 * handshake, and response share a limit of 5 seconds. Only the response status determines the result.
 *
 * @example
 * import { HttpSender } from "@trailbook/webhook"
 *
 * const sender = HttpSender.layer({ allow: ["127.0.0.0/8"], userAgent: "Trailbook/0.1.0" })
 */
export const layer = (options: Options = {}): Layer.Layer<WebhookSender> => Layer.scoped(WebhookSender, make(options))

export const make = (
  { allow = [], userAgent = "Trailbook" }: Options,
  seams: Partial<NetworkFunctions> = {}
): Effect.Effect<typeof WebhookSender.Service, never, Scope.Scope> =>
  Effect.gen(function*() {
    const dependencies: NetworkFunctions = {
      resolve: makeDnsResolver(),
      connect: connectToAddresses,
      guard: makeSsrfGuard(makeAllowedNetworks(allow)),
      tls: {},
      idleMs: 1000,
      ...seams
    }
    const idleConnections = yield* Effect.acquireRelease(
      Effect.sync(() => new IdleConnections(dependencies.idleMs)),
      (connections) => Effect.sync(() => connections.close())
    )

    const openSocket = (destination: Destination.Destination): Effect.Effect<Socket, Fault> =>
      Effect.flatMap(
        resolveAllowedAddresses(destination, dependencies),
        (addresses) => openConnection(destination, addresses, dependencies)
      )

    const post = (
      delivery: Delivery,
      destination: Destination.Destination,
      trace: TraceHeaders,
      reuse: boolean
    ) => {
      const { url, webhookId } = delivery
      const body = Buffer.from(delivery.body)
      return Effect.acquireUseRelease(
        Effect.suspend(() => {
          const idleSocket = reuse ? idleConnections.take(webhookId, url) : undefined
          return idleSocket === undefined
            ? Effect.map(Effect.interruptible(openSocket(destination)), (socket) => ({ socket, isKept: false }))
            : Effect.succeed({ socket: idleSocket, isKept: true })
        }),
        ({ isKept, socket }) =>
          Effect.mapError(
            postOnce(socket, destination, { ...makeHeaders(delivery, userAgent), ...trace }, body),
            (fault) => isKept && fault === "connection" ? "gone" : fault
          ),
        ({ socket }, exit) =>
          Effect.sync(() => {
            if (Exit.isSuccess(exit) && exit.value.reusable) idleConnections.keep(webhookId, url, socket)
            else socket.destroy()
          })
      )
    }

    const deliver = (delivery: Delivery, destination: Destination.Destination): Effect.Effect<SendResult> =>
      currentTraceHeaders.pipe(
        Effect.flatMap((trace) =>
          post(delivery, destination, trace, true).pipe(
            // A receiver may close an idle connection at any time, so this failure is retried on a new connection. If
            // the receiver has already processed the event, it receives a duplicate, which every receiver must handle.
            Effect.catchIf((fault) => fault === "gone", () => post(delivery, destination, trace, false))
          )
        ),
        Effect.match({
          onSuccess: ({ status }): SendResult => ({ _tag: "Answered", status }),
          onFailure: (fault) => toUnreachable(fault === "gone" ? "connection" : fault)
        }),
        Effect.timeoutTo({
          duration: deliveryTimeout,
          onSuccess: (result) => result,
          onTimeout: () => toUnreachable("timeout")
        })
      )

    return WebhookSender.of({
      send: (delivery) =>
        Either.match(Destination.parse(delivery.url), {
          // Either the operator changed the allowed networks, or a program stored the URL without validating it.
          onLeft: () => Effect.succeed(toUnreachable("blocked_address")),
          onRight: (destination) => deliver(delivery, destination)
        }).pipe(Effect.withSpan("HttpSender.send", { attributes: { webhook: delivery.webhookId } })),
      findUrlProblem: (url) => Effect.withSpan(validateEndpoint(url, dependencies), "HttpSender.objection")
    })
  })

/** The time limit for a delivery, from the DNS lookup to the response status. */
export const deliveryTimeout = "5 seconds"

type Fault = Extract<SendResult, { readonly _tag: "Unreachable" }>["fault"]

const toUnreachable = (fault: Fault): SendResult => ({ _tag: "Unreachable", fault })

const makeHeaders = (delivery: Delivery, userAgent: string) => ({
  ...makeSignatureHeaders(delivery),
  "Service-Event-Id": String(delivery.eventId),
  "Service-Event-Type": delivery.eventType,
  "User-Agent": userAgent,
  "Content-Type": "application/json"
})

/**
 * Validates a tenant's URL, including the addresses that it currently resolves to. A public name may start to resolve
 * later, so a failed or slow lookup is not an error. An internal name must resolve immediately.
 */
const validateEndpoint = (
  url: string,
  seams: Pick<NetworkFunctions, "guard" | "resolve">
): Effect.Effect<string | undefined> =>
  Either.match(Destination.parse(url), {
    onLeft: (objection) => Effect.succeed(objection),
    onRight: (destination) =>
      resolveAllowedAddresses(destination, seams).pipe(
        Effect.timeoutFail({ duration: deliveryTimeout, onTimeout: () => "dns" as const }),
        Effect.match({
          onSuccess: () => undefined,
          onFailure: (fault) => {
            if (destination.isInternal) return Destination.getPrivateAddressError(destination)
            return fault === "blocked_address" ? "must resolve to a public address" : undefined
          }
        })
      )
  })

interface RawResponse {
  readonly status: number
  /** Whether the response is complete and the receiver is keeping the connection open. */
  readonly reusable: boolean
}

/**
 * Posts a body on an open connection. Returns the status and discards the response body without waiting for the rest.
 * Most receivers send the complete response along with the status, which makes the connection reusable.
 *
 * The caller must close the connection, even if the call is interrupted.
 */
const postOnce = (
  socket: Socket,
  { authority, path }: Destination.Destination,
  headers: OutgoingHttpHeaders,
  body: Buffer
): Effect.Effect<RawResponse, "connection" | "tls"> =>
  Effect.async((resume) => {
    const message = request({
      createConnection: () => socket,
      method: "POST",
      path,
      headers: { Host: authority, ...headers, "Content-Length": body.length, Connection: "keep-alive" },
      maxHeaderSize: 16_384
    })
    let hasResponse = false
    let isFree = false
    // If the connection stays open, Node emits `free` once it has read a complete response.
    socket.once("free", () => isFree = true)
    message.once("response", (response) => {
      hasResponse = true
      response.on("error", onEnd).resume()
      // Node first reads the data that has already arrived. Waiting for more data would delay the result.
      setImmediate(() => {
        resume(Effect.succeed({ status: response.statusCode ?? 0, reusable: isFree }))
      })
    })
    message.once("upgrade", (response) => resume(Effect.succeed({ status: response.statusCode ?? 0, reusable: false })))
    message.on("error", (error: NodeJS.ErrnoException) => {
      // Once the status has arrived, errors in the response body do not matter.
      if (hasResponse) return
      // In TLS 1.3, a receiver rejects a missing client certificate only after the handshake.
      resume(Effect.fail(error.code?.startsWith("ERR_SSL") === true ? "tls" : "connection"))
    })
    message.end(body)
  })

const onEnd = () => {}
