/**
 * A route is an endpoint that exchanges something other than JSON, such as a file, form, or page, so it is not an
 * operation. It uses the same keys, limits, request IDs, and log as the operations.
 */
import type { Refusal, RefusalCode } from "@trailbook/core"
import type { Actor, Scope } from "@trailbook/core/actor"
import type * as Effect from "effect/Effect"
import type { HttpFailure } from "./HttpFailure.ts"
import type { IpRateLimit } from "./limit/IpRateLimit.ts"
import type { SchemaCollector } from "./openapi/SchemaCollector.ts"
import type { Reply } from "./response/Reply.ts"

export interface Route<RouteCaller extends AcceptedCallers = AcceptedCallers, Body = unknown> {
  /** GET routes also respond to HEAD requests, without a body. */
  readonly method: "GET" | "POST"
  /** The absolute path, with parameters such as `:id`. {@link RouteRequest.param} returns their values. */
  readonly path: `/${string}`
  /** The name for logs, such as `attachments.upload`. */
  readonly name: string
  readonly caller: RouteCaller
  /** Returns a failure if the request must be rejected, for example because it is cross-site. This check runs first. */
  readonly refuse?: (request: Request) => HttpFailure | undefined
  /** Per-address rate limits, checked before authentication. */
  readonly limits?: ReadonlyArray<IpRateLimit>
  /** The type of the body. The body is read only after the caller is authenticated. */
  readonly body: BodyKind<Body>
  /**
   * Handles a request in the request's own fiber. A GET request is interrupted if its client disconnects. Once its body
   * has arrived, a POST request continues even if its client disconnects.
   */
  readonly answer: (
    routeRequest: RouteRequest<RouteCaller, Body>
  ) => Effect.Effect<Reply, Refusal | HttpFailure, RequiredContext<RouteCaller>>
  /** Renders errors. Default: JSON. */
  readonly renderError?: ErrorRenderer
  /** The description for the OpenAPI document. Routes without a description are not listed. */
  readonly description?: RouteDescription
}

/**
 * The callers that a route accepts. `scope` accepts callers whose key or session has that scope. `find` accepts callers
 * that the route identifies from the request: a visitor by a page URL, a guest by a handle, or a staff member by a
 * cookie. `anyone` accepts every caller.
 */
export type AcceptedCallers =
  | {
    readonly scope: Scope
    readonly find?: (request: UnauthenticatedRequest) => Effect.Effect<Actor["Type"], Refusal | HttpFailure>
  }
  | "anyone"

/** A request that has not been authenticated yet. */
export interface UnauthenticatedRequest {
  readonly request: Request
  /** Returns a path parameter. */
  readonly param: (name: string) => string
  /** The client address, if the server provides one. */
  readonly address: string | undefined
  /**
   * A signal that aborts on shutdown, so that open-ended responses can finish. Undefined if the host does not provide
   * one.
   */
  readonly goingDown: AbortSignal | undefined
}

/** Renders an error as a page, asynchronously if the renderer is loaded lazily. */
export type ErrorRenderer = (
  failure: HttpFailure,
  context: { readonly request: Request; readonly requestId: string }
) => Reply | Promise<Reply>

/** Defines how one kind of body is read and described. */
export interface BodyKind<out A> {
  /**
   * Reads the body, passes it to the function, and then releases its memory. A large body counts against each owner's
   * share of the memory budget. The owners are the client's network and the org.
   */
  readonly within: <B, E, R>(
    request: Request,
    use: (body: A) => Effect.Effect<B, E, R>,
    owners?: ReadonlyArray<string>
  ) => Effect.Effect<B, E | Refusal, R>
  /** The OpenAPI `requestBody`, if the route accepts a body. */
  readonly described?: object
}

type RequiredContext<RouteCaller extends AcceptedCallers> = RouteCaller extends "anyone" ? never : Actor

export interface RouteRequest<RouteCaller extends AcceptedCallers, Body> extends UnauthenticatedRequest {
  readonly actor: RouteCaller extends "anyone" ? undefined : Actor["Type"]
  readonly body: Body
}

/** The parts of the OpenAPI entry that cannot be derived from the route. */
export interface RouteDescription {
  /** The tag that groups the route in OpenAPI, such as `attachments`. */
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** The route's own error codes, in addition to those that any request can return. */
  readonly refusals: ReadonlyArray<RefusalCode>
  readonly status: 200 | 201
  /** Returns the OpenAPI `content` for the response. */
  readonly content: (schemas: SchemaCollector) => object
}

/** A route whose caller and body types are hidden, so that different routes can share a list. */
export interface AnyRoute extends Omit<Route, "answer"> {
  readonly answer: (routeRequest: RouteRequest<never, never>) => Effect.Effect<Reply, Refusal | HttpFailure, Actor>
}
