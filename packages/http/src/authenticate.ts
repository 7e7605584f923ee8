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
 * Who asks. For callers of the API their key says it; a host that mounts the
 * handler may have a sign-in of its own. `address` is the address of the client, if the server knows it.
 */
export type Authorize<C = Credential> = (
  request: Request,
  address?: string
) => Effect.Effect<C, Refusal<"unauthorized" | "unavailable">>

/** What a sign-in says. */
export interface Credential {
  /** What its use is counted under. */
  readonly id: string
  readonly actor: Actor["Type"]
}

/** Finds out who asks and goes on as them. */
export type Authenticate = <A, E>(
  exchange: RequestContext,
  then: (acting: AuthenticatedCaller) => Effect.Effect<A, E>
) => Effect.Effect<A, E | Refusal>

/** A credential, and the context that has its actor. */
export interface AuthenticatedCaller extends Credential {
  readonly context: Context.Context<Actor>
}

export const toCaller = ({ actor, id }: Credential): AuthenticatedCaller => ({
  id,
  actor,
  context: Context.make(Actor, actor)
})

/**
 * The same for keys, which nobody changes: one that a storage remembers is the same
 * object at each request, and so is who acts by it. A fiber hashes a context that
 * is new, which costs a read 5 µs, and another key is another object.
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
 * Goes on as the actor. The fiber is the request's own and ends with it, so nobody
 * needs its old context back: to provide one and restore the other costs half a fiber.
 */
export const withActor = <A, E>(
  context: Context.Context<Actor>,
  answer: Effect.Effect<A, E, Actor>
): Effect.Effect<A, E> =>
  Effect.zipRight(
    FiberRef.set(FiberRef.currentContext, context),
    // Its context is there.
    answer as Effect.Effect<A, E>
  )

/**
 * Who asks, and whether they may ask again already. It comes before anything
 * else is read, so 401 wins over every other refusal.
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

/**
 * The key of an `Authorization` header, or a text that is none. The
 * scheme's case does not matter (RFC 9110).
 */
export const bearer = (header: string | null): string =>
  header !== null && header.slice(0, 7).toLowerCase() === "bearer " ? header.slice(7).trim() : ""
