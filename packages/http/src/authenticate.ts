import { Actor } from "@trailbook/core/actor/Actor"
import { type ApiKey, toActor } from "@trailbook/core/actor/ApiKey"
import type { Refusal } from "@trailbook/core/Refusal"
import type * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as RateLimit from "./RateLimit.ts"
import type { RequestContext } from "./RequestContext.ts"

/**
 * Identifies the caller of a request. API callers use a key; a host application that mounts the handler can use its own
 * sign-in. `address` is the client address, if the server knows it.
 */
export type Authorize<C = Credential> = (
  request: Request,
  address?: string
) => Effect.Effect<C, Refusal<"unauthorized" | "unavailable">>

/** The result of a sign-in. */
export interface Credential {
  /** The ID under which its usage is counted. */
  readonly id: string
  readonly actor: Actor["Type"]
}

/** Identifies the caller and runs the effect as that caller. */
export type Authenticate = <A, E>(
  exchange: RequestContext,
  then: (acting: AuthenticatedCaller) => Effect.Effect<A, E>
) => Effect.Effect<A, E | Refusal>

/** A credential with a context that contains its actor. */
export interface AuthenticatedCaller extends Credential {
  readonly context: Context.Context<Actor>
}

export const toCaller = ({ actor, id }: Credential): AuthenticatedCaller => ({
  id,
  actor,
  context: Context.make(Actor, actor)
})

/**
 * Caches the caller of each key. Keys are immutable and a storage cache returns the same object for each request. A
 * fiber hashes a new context, which costs a read 5 µs, so the context is reused. A changed key is a different object.
 */
export const makeKeyCallerCache = (): (key: ApiKey) => AuthenticatedCaller => {
  const known = new WeakMap<ApiKey, AuthenticatedCaller>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = toCaller({ id: key.id, actor: toActor(key, "api") })
    known.set(key, made)
    return made
  }
}

/**
 * Runs the effect as the actor. The fiber belongs to the request and ends with it, so the previous context is not
 * restored. Providing and restoring a context costs half as much as a fiber.
 */
export const withActor = <A, E>(
  context: Context.Context<Actor>,
  answer: Effect.Effect<A, E, Actor>
): Effect.Effect<A, E> =>
  Effect.zipRight(
    FiberRef.set(FiberRef.currentContext, context),
    // The context was set above.
    answer as Effect.Effect<A, E>
  )

/**
 * Identifies the caller and checks the rate limit. Runs before anything else is read, so 401 takes precedence over all
 * other errors.
 */
export const authenticate = <C>(
  authorize: Authorize<C>,
  actingBy: (credential: C) => AuthenticatedCaller,
  limit: RateLimit.RateLimit,
  clock: Clock.Clock
): Authenticate => {
  const refused = (
    { connection }: RequestContext,
    cause: Cause.Cause<Refusal>
  ): Exit.Exit<never, Refusal> => {
    const standing = cause._tag === "Fail"
      ? limit.failures?.take(connection.remoteAddress ?? "", clock.unsafeCurrentTimeMillis())
      : undefined
    return standing?.allowed === false ? Exit.fail(RateLimit.rateLimited(standing)) : Exit.failCause(cause)
  }
  return <A, E>(exchange: RequestContext, then: (acting: AuthenticatedCaller) => Effect.Effect<A, E>) =>
    Effect.matchCauseEffect(authorize(exchange.request, exchange.connection.remoteAddress), {
      onFailure: (cause) => refused(exchange, cause),
      onSuccess: (credential): Effect.Effect<A, E | Refusal> => {
        const acting = actingBy(credential)
        const standing = limit.keys?.take(acting.id, clock.unsafeCurrentTimeMillis())
        exchange.orgId = acting.actor.orgId
        exchange.standing = standing
        exchange.keyId = acting.id
        return standing?.allowed === false
          ? Exit.fail(RateLimit.rateLimited(standing))
          : then(acting)
      }
    })
}

/** Returns the key of an `Authorization` header, or an invalid key. The scheme is case-insensitive (RFC 9110). */
export const bearer = (header: string | null): string =>
  header !== null && header.slice(0, 7).toLowerCase() === "bearer " ? header.slice(7).trim() : ""
