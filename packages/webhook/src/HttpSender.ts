import { type TraceHeaders, traceHeaders } from "@trailbook/core/port/traceHeaders"
import { type Answer, type Delivery, WebhookSender } from "@trailbook/core/webhook/WebhookSender"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Socket } from "node:net"
import type { SecureContextOptions } from "node:tls"
import { allowNetworks } from "./addresses.ts"
import * as Destination from "./Destination.ts"
import { IdleConnections } from "./IdleConnections.ts"
import { type Connect, connectTo, openConnection } from "./openConnection.ts"
import { postOnce } from "./postOnce.ts"
import { resolveAllowed } from "./resolveAllowed.ts"
import { type Resolver, resolver } from "./Resolver.ts"
import { signatureHeaders } from "./signatureHeaders.ts"
import { type Guard, ssrfGuard } from "./SsrfGuard.ts"

export interface Options {
  /**
   * Networks that are allowed in addition to public addresses, even over `http`, such as `127.0.0.0/8`. Operators allow
   * receivers in their own network. An invalid network is a defect, so validate it with `networkError`.
   */
  readonly allow?: ReadonlyArray<string>
  /** The `User-Agent` header. Include a version. */
  readonly userAgent?: string
}

/** The network functions. Tests replace them. */
export interface Seams {
  readonly resolve: Resolver
  readonly connect: Connect
  readonly guard: Guard
  readonly tls: Pick<SecureContextOptions, "ca">
  /** The time in milliseconds that a connection stays open for the next event of its endpoint. */
  readonly idleMs: number
}

/**
 * Sends deliveries with `node:http`. Connects only to public addresses and to the networks in `allow`. Follows no
 * redirects, ignores proxy environment variables, and sends no cookies and no credentials. The DNS lookup, the
 * connection, TLS, and the response have 5 seconds in total. Only the status of the response counts.
 *
 * @example
 * import { HttpSender } from "@trailbook/webhook"
 *
 * const sender = HttpSender.layer({ allow: ["127.0.0.0/8"], userAgent: "Trailbook/0.1.0" })
 */
export const layer = (options: Options = {}): Layer.Layer<WebhookSender> => Layer.scoped(WebhookSender, make(options))

export const make = (
  { allow = [], userAgent = "Trailbook" }: Options,
  seams: Partial<Seams> = {}
): Effect.Effect<typeof WebhookSender.Service, never, Scope.Scope> =>
  Effect.gen(function*() {
    const through: Seams = {
      resolve: resolver(),
      connect: connectTo,
      guard: ssrfGuard(allowNetworks(allow)),
      tls: {},
      idleMs: 1000,
      ...seams
    }
    const idle = yield* Effect.acquireRelease(
      Effect.sync(() => new IdleConnections(through.idleMs)),
      (idle) => Effect.sync(() => idle.close())
    )

    const openSocket = (destination: Destination.Destination): Effect.Effect<Socket, Fault> =>
      Effect.flatMap(
        resolveAllowed(destination, through),
        (addresses) => openConnection(destination, addresses, through)
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
          const kept = reuse ? idle.take(webhookId, url) : undefined
          return kept === undefined
            ? Effect.map(Effect.interruptible(openSocket(destination)), (socket) => ({ socket, isKept: false }))
            : Effect.succeed({ socket: kept, isKept: true })
        }),
        ({ isKept, socket }) =>
          Effect.mapError(
            postOnce(socket, destination, { ...headers(delivery, userAgent), ...trace }, body),
            (fault) => isKept && fault === "connection" ? "gone" : fault
          ),
        ({ socket }, exit) =>
          Effect.sync(() => {
            if (Exit.isSuccess(exit) && exit.value.reusable) idle.keep(webhookId, url, socket)
            else socket.destroy()
          })
      )
    }

    const deliver = (delivery: Delivery, destination: Destination.Destination): Effect.Effect<Answer> =>
      traceHeaders.pipe(
        Effect.flatMap((trace) =>
          post(delivery, destination, trace, true).pipe(
            // A receiver can close an idle connection at any time, so this failure does not count. If the receiver has
            // processed the event, it receives the event twice. Every receiver must handle duplicates.
            Effect.catchIf((fault) => fault === "gone", () => post(delivery, destination, trace, false))
          )
        ),
        Effect.match({
          onSuccess: ({ status }): Answer => ({ _tag: "Answered", status }),
          onFailure: (fault) => unreachable(fault === "gone" ? "connection" : fault)
        }),
        Effect.timeoutTo({
          duration: deadline,
          onSuccess: (answer) => answer,
          onTimeout: () => unreachable("timeout")
        })
      )

    return WebhookSender.of({
      send: (delivery) =>
        Either.match(Destination.parse(delivery.url), {
          // The operator changed the allowed networks, or a program stored the URL without the API.
          onLeft: () => Effect.succeed(unreachable("blocked_address")),
          onRight: (destination) => deliver(delivery, destination)
        }).pipe(Effect.withSpan("HttpSender.send", { attributes: { webhook: delivery.webhookId } })),
      objection: (url) => Effect.withSpan(validateEndpoint(url, through), "HttpSender.objection")
    })
  })

/** Limits a delivery: the DNS lookup, the connection, TLS, and the response status. */
export const deadline = "5 seconds"

type Fault = Extract<Answer, { readonly _tag: "Unreachable" }>["fault"]

const unreachable = (fault: Fault): Answer => ({ _tag: "Unreachable", fault })

const headers = (delivery: Delivery, userAgent: string) => ({
  ...signatureHeaders(delivery),
  "Service-Event-Id": String(delivery.eventId),
  "Service-Event-Type": delivery.eventType,
  "User-Agent": userAgent,
  "Content-Type": "application/json"
})

/**
 * Returns the error of a tenant's URL. Checks its text and its current addresses. A public name may resolve later, so a
 * failed or slow lookup is no error. An internal name must resolve now.
 */
const validateEndpoint = (
  url: string,
  seams: Pick<Seams, "guard" | "resolve">
): Effect.Effect<string | undefined> =>
  Either.match(Destination.parse(url), {
    onLeft: (objection) => Effect.succeed(objection),
    onRight: (destination) =>
      resolveAllowed(destination, seams).pipe(
        Effect.timeoutFail({ duration: deadline, onTimeout: () => "dns" as const }),
        Effect.match({
          onSuccess: () => undefined,
          onFailure: (fault) => {
            if (destination.inward) return Destination.privateAddressError(destination)
            return fault === "blocked_address" ? "must resolve to a public address" : undefined
          }
        })
      )
  })
