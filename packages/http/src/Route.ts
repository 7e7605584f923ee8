/**
 * An HTTP endpoint that is not an operation because it does not exchange JSON: a file, a form, or a page. It uses the
 * same keys, limits, request IDs, and log as the operations.
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
  /** The absolute path, with `:id` for parameters that {@link RouteRequest.param} returns. */
  readonly path: `/${string}`
  /** The name in the log, such as `attachments.upload`. */
  readonly name: string
  readonly caller: Who
  /** Checked first: returns why a request is rejected, such as a cross-site request. */
  readonly refuse?: (request: Request) => Failure | undefined
  /** Rate limits per address, checked before everything else. */
  readonly limits?: ReadonlyArray<IpRateLimit>
  /** The body kind. The body is not read before the caller is authenticated. */
  readonly body: BodyKind<Body>
  /**
   * Runs in the fiber of the request. A GET is interrupted if its caller disconnects. A POST continues once its body
   * has arrived.
   */
  readonly answer: (asked: RouteRequest<Who, Body>) => Effect.Effect<Reply, Refusal | Failure, NeededBy<Who>>
  /** Renders errors. If omitted, errors are JSON. */
  readonly failed?: RenderError
  /** If omitted, the OpenAPI document does not list the route. */
  readonly described?: RouteDescription
}

/**
 * The allowed callers: callers with a key or session and this scope, callers that `find` identifies from the request (a
 * visitor by a page URL, a guest by a handle, a staff member by a cookie), or anyone.
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
  /** Aborted on shutdown, so that responses without a natural end finish. Undefined if the host does not provide it. */
  readonly goingDown: AbortSignal | undefined
}

/** Renders an error in the text and format of a page. Returns a promise if the renderer is loaded lazily. */
export type RenderError = (
  failure: Failure,
  said: { readonly request: Request; readonly requestId: string }
) => Reply | Promise<Reply>

/** How a kind of body is read and described. */
export interface BodyKind<out A> {
  /**
   * Reads the body, runs the function with it, and releases its memory afterwards. `owners` are the network and the org
   * whose share of the memory budget a large body takes.
   */
  readonly within: <B, E, R>(
    request: Request,
    use: (body: A) => Effect.Effect<B, E, R>,
    owners?: ReadonlyArray<string>
  ) => Effect.Effect<B, E | Refusal, R>
  /** The `requestBody` of OpenAPI. Omitted if the route takes no body. */
  readonly described?: object
}

type NeededBy<Who extends Caller> = Who extends "anyone" ? never : Actor

export interface RouteRequest<Who extends Caller, Body> extends UnauthenticatedRequest {
  readonly actor: Who extends "anyone" ? undefined : Actor["Type"]
  readonly body: Body
}

/** The parts of the OpenAPI entry that cannot be derived from the route. */
export interface RouteDescription {
  /** The tag that groups it, such as `attachments`. */
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Error codes in addition to those that every request can return. */
  readonly refusals: ReadonlyArray<RefusalCode>
  readonly status: 200 | 201
  /** The `content` of the response. */
  readonly content: (schemas: Schemas) => object
}

/** A route with any caller and body type, for lists of routes. */
export interface AnyRoute extends Omit<Route, "answer"> {
  readonly answer: (asked: RouteRequest<never, never>) => Effect.Effect<Reply, Refusal | Failure, Actor>
}
