/**
 * What is asked over HTTP and is no operation, because JSON is not what it takes or
 * gives: a file, a form, a page. It comes through the same door as the operations:
 * the same keys, limits, request ids and log.
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
  /** A GET is answered to a HEAD as well, and then nobody reads the body of its answer. */
  readonly method: "GET" | "POST"
  /** From the root, with `:id` for what is asked of {@link RouteRequest.param}. */
  readonly path: `/${string}`
  /** What the log calls it, such as `attachments.upload`. */
  readonly name: string
  readonly caller: Who
  /** Looked at first: why a request is not let in, such as one that a page of another site sends. */
  readonly refuse?: (request: Request) => Failure | undefined
  /** How often one address may ask; nothing else is looked at before. */
  readonly limits?: ReadonlyArray<IpRateLimit>
  /** What it takes; nothing is read of it before it is known who asks. */
  readonly body: BodyKind<Body>
  /**
   * In the request's own fiber. A GET is interrupted when its caller hangs up; what changes something goes on once
   * its body is there.
   */
  readonly answer: (asked: RouteRequest<Who, Body>) => Effect.Effect<Reply, Refusal | Failure, NeededBy<Who>>
  /** How it says what went wrong; as JSON, when it is left out. */
  readonly failed?: RenderError
  /** Left out, the machine-readable description does not name it. */
  readonly described?: RouteDescription
}

/**
 * Who may ask: whoever has a key, or is signed in, with this scope; whom the request itself names, where `find` says
 * who that is (a visitor by the address of a page, a guest by their handle, one of the staff by a cookie); or anybody.
 */
export type Caller =
  | {
    readonly scope: Scope
    readonly find?: (asking: UnauthenticatedRequest) => Effect.Effect<Actor["Type"], Refusal | Failure>
  }
  | "anybody"

/** A request of which is not yet known who asks. */
export interface UnauthenticatedRequest {
  readonly request: Request
  /** A part of the path, by its name. */
  readonly param: (name: string) => string
  /** Whose request it is, by the connection; undefined where the server does not say. */
  readonly address: string | undefined
  /** Aborted once the server goes down, when an answer that has no end by itself ends; undefined where nobody says. */
  readonly goingDown: AbortSignal | undefined
}

/**
 * Says what went wrong in the words and the format of a page; by a promise, where what makes it is yet to be loaded.
 */
export type RenderError = (
  failure: Failure,
  said: { readonly request: Request; readonly requestId: string }
) => Reply | Promise<Reply>

/** A kind of body is how it is read, and how it is described. */
export interface BodyKind<out A> {
  /**
   * Reads it, and goes on with it. What it takes up is free again when that has ended. `owners` are the network and the
   * outfitter whose share of the memory a large body takes.
   */
  readonly within: <B, E, R>(
    request: Request,
    use: (body: A) => Effect.Effect<B, E, R>,
    owners?: ReadonlyArray<string>
  ) => Effect.Effect<B, E | Refusal, R>
  /** The `requestBody` of OpenAPI; left out where nothing is taken. */
  readonly described?: object
}

type NeededBy<Who extends Caller> = Who extends "anybody" ? never : Actor

export interface RouteRequest<Who extends Caller, Body> extends UnauthenticatedRequest {
  readonly actor: Who extends "anybody" ? undefined : Actor["Type"]
  readonly body: Body
}

/** What the description says of it, beside what is read off the rest. */
export interface RouteDescription {
  /** The group that it is listed in, such as `attachments`. */
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Beside those that every request may be refused with. */
  readonly refusals: ReadonlyArray<RefusalCode>
  readonly status: 200 | 201
  /** The `content` of its answer. */
  readonly content: (schemas: Schemas) => object
}

/** Whatever it asks for: as it stands in a list of routes. */
export interface AnyRoute extends Omit<Route, "answer"> {
  readonly answer: (asked: RouteRequest<never, never>) => Effect.Effect<Reply, Refusal | Failure, Actor>
}
