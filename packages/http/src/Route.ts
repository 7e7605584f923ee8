/**
 * A route is an HTTP endpoint that does not exchange JSON and therefore is not an operation, such as a file, a form, or
 * a page. It uses the same keys, limits, request IDs, and log as the operations.
 */
import type { Actor, Scope } from "@trailbook/core/actor/Actor"
import type { Refusal } from "@trailbook/core/Refusal"
import type { RefusalCode } from "@trailbook/core/refusals"
import type * as Effect from "effect/Effect"
import type { Failure } from "./Failure.ts"
import type { IpRateLimit } from "./IpRateLimit.ts"
import type { Schemas } from "./openapi/schemas.ts"
import type { Reply } from "./Reply.ts"

export interface Route<Who extends Caller = Caller, Body = unknown> {
  /** A GET route also answers HEAD, without sending the body. */
  readonly method: "GET" | "POST"
  /** The absolute path. {@link RouteRequest.param} returns its parameters, such as `:id`. */
  readonly path: `/${string}`
  /** The name in the log, such as `attachments.upload`. */
  readonly name: string
  readonly caller: Who
  /** Returns the reason to reject a request, such as a cross-site request. This check runs first. */
  readonly refuse?: (request: Request) => Failure | undefined
  /** Rate limits per address, which are checked before authentication. */
  readonly limits?: ReadonlyArray<IpRateLimit>
  /** The kind of the body. The body is read only after the caller is authenticated. */
  readonly body: BodyKind<Body>
  /**
   * Handles the request in the fiber of the request. A GET is interrupted if its caller disconnects. A POST continues
   * once its body has arrived.
   */
  readonly answer: (routeRequest: RouteRequest<Who, Body>) => Effect.Effect<Reply, Refusal | Failure, NeededBy<Who>>
  /** Renders errors. If it is omitted, errors are JSON. */
  readonly failed?: RenderError
  /** The description in the OpenAPI document. If it is omitted, the document does not list the route. */
  readonly described?: RouteDescription
}

/**
 * The callers that a route accepts. With `scope`, these are callers whose key or session has the scope. With `find`,
 * these are callers that the route identifies from the request: a visitor by a page URL, a guest by a handle, or a
 * staff member by a cookie. With `anyone`, every caller is accepted.
 */
export type Caller =
  | {
    readonly scope: Scope
    readonly find?: (asking: UnauthenticatedRequest) => Effect.Effect<Actor["Type"], Refusal | Failure>
  }
  | "anyone"

/** A request before authentication. */
export interface UnauthenticatedRequest {
  readonly request: Request
  /** Returns a path parameter. */
  readonly param: (name: string) => string
  /** The client address, if the server provides it. */
  readonly address: string | undefined
  /**
   * Aborted on shutdown, so that responses without a natural end finish. It is undefined if the host does not provide a
   * signal.
   */
  readonly goingDown: AbortSignal | undefined
}

/** Renders an error as a page. Returns a promise if the renderer is loaded lazily. */
export type RenderError = (
  failure: Failure,
  context: { readonly request: Request; readonly requestId: string }
) => Reply | Promise<Reply>

/** Defines how a kind of body is read and described. */
export interface BodyKind<out A> {
  /**
   * Reads the body, runs the function with it, and releases the memory of the body afterwards. A large body counts
   * against the shares of `owners` in the memory budget. The owners are the network and the org.
   */
  readonly within: <B, E, R>(
    request: Request,
    use: (body: A) => Effect.Effect<B, E, R>,
    owners?: ReadonlyArray<string>
  ) => Effect.Effect<B, E | Refusal, R>
  /** The `requestBody` of OpenAPI. It is omitted if the route takes no body. */
  readonly described?: object
}

type NeededBy<Who extends Caller> = Who extends "anyone" ? never : Actor

export interface RouteRequest<Who extends Caller, Body> extends UnauthenticatedRequest {
  readonly actor: Who extends "anyone" ? undefined : Actor["Type"]
  readonly body: Body
}

/** The parts of the OpenAPI entry that cannot be derived from the route. */
export interface RouteDescription {
  /** The tag under which OpenAPI groups the route, such as `attachments`. */
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** The error codes of the route, in addition to the codes that every request can return. */
  readonly refusals: ReadonlyArray<RefusalCode>
  readonly status: 200 | 201
  /** Returns the `content` of the response. */
  readonly content: (schemas: Schemas) => object
}

/** A route with any caller and body type, for lists of routes. */
export interface AnyRoute extends Omit<Route, "answer"> {
  readonly answer: (routeRequest: RouteRequest<never, never>) => Effect.Effect<Reply, Refusal | Failure, Actor>
}
