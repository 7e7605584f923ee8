/**
 * The way out to receivers, over HTTP/1.1.
 */
import { type Answer, type Delivery, WebhookSender } from "@trailbook/core/webhook/WebhookSender"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Socket } from "node:net"
import type { SecureContextOptions } from "node:tls"
import { allowNetworks } from "./addresses.ts"
import { deadline } from "./deadline.ts"
import * as Destination from "./Destination.ts"
import { IdleConnections } from "./IdleConnections.ts"
import { type Connect, connectTo, openConnection } from "./openConnection.ts"
import { postOnce } from "./postOnce.ts"
import { resolveAllowed } from "./resolveAllowed.ts"
import { type Resolver, resolver } from "./Resolver.ts"
import { signatureHeaders } from "./signatureHeaders.ts"
import { type Guard, ssrfGuard } from "./SsrfGuard.ts"
import { validateEndpoint } from "./validateEndpoint.ts"

/**
 * @category models
 */
export interface Options {
  /**
   * Networks such as `127.0.0.0/8` that deliveries may go to although they are not
   * public, also over http. For receivers in the operator's own network, and for
   * tests. What is no network is a defect: see `networkError`.
   */
  readonly allow?: ReadonlyArray<string>
  /** Who calls, with a version. */
  readonly userAgent?: string
}

/**
 * What stands between the sender and the network, for tests that take one away.
 *
 * @category models
 */
export interface Seams {
  readonly resolve: Resolver
  readonly connect: Connect
  readonly guard: Guard
  readonly tls: Pick<SecureContextOptions, "ca">
  /** How long a connection may wait for the next event of its endpoint. */
  readonly idleMs: number
}

/**
 * Sends deliveries over node:https. It goes to public addresses alone, and to those
 * that `allow` opens; it follows no redirect, reads no environment, sends no cookie
 * and no credential, and takes 5 seconds at most for look-up, connection, TLS and
 * answer together. The status line is the answer.
 *
 * @example
 * import { HttpSender } from "@trailbook/webhook"
 *
 * const sender = HttpSender.layer({ allow: ["127.0.0.0/8"], userAgent: "Trailbook/0.1.0" })
 *
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<WebhookSender> => Layer.scoped(WebhookSender, make(options))

/**
 * @category constructors
 */
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

    const opened = (destination: Destination.Destination): Effect.Effect<Socket, Fault> =>
      Effect.flatMap(
        resolveAllowed(destination, through),
        (addresses) => openConnection(destination, addresses, through)
      )

    const post = (delivery: Delivery, destination: Destination.Destination, reuse: boolean) => {
      const { url, webhookId } = delivery
      const body = Buffer.from(delivery.body)
      return Effect.acquireUseRelease(
        Effect.suspend(() => {
          const kept = reuse ? idle.take(webhookId, url) : undefined
          return kept === undefined
            ? Effect.map(Effect.interruptible(opened(destination)), (socket) => ({ socket, isKept: false }))
            : Effect.succeed({ socket: kept, isKept: true })
        }),
        ({ isKept, socket }) =>
          Effect.mapError(
            postOnce(socket, destination, headers(delivery, userAgent), body),
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
      post(delivery, destination, true).pipe(
        // The receiver closed a connection that lay idle, as it may at any time: that says nothing about this event.
        // Should it have had the event all the same, it has it twice, as any receiver may.
        Effect.catchIf((fault) => fault === "gone", () => post(delivery, destination, false)),
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
          // It was stored when other addresses were open, or by other means than the API.
          onLeft: () => Effect.succeed(unreachable("blocked_address")),
          onRight: (destination) => deliver(delivery, destination)
        }).pipe(Effect.withSpan("HttpSender.send", { attributes: { webhook: delivery.webhookId } })),
      objection: (url) => Effect.withSpan(validateEndpoint(url, through), "HttpSender.objection")
    })
  })

type Fault = Extract<Answer, { readonly _tag: "Unreachable" }>["fault"]

const unreachable = (fault: Fault): Answer => ({ _tag: "Unreachable", fault })

const headers = (delivery: Delivery, userAgent: string) => ({
  ...signatureHeaders(delivery),
  "Service-Event-Id": String(delivery.eventId),
  "Service-Event-Type": delivery.eventType,
  "User-Agent": userAgent,
  "Content-Type": "application/json"
})
