import type { Refusal } from "@trailbook/core"
import { Actor, type ApiKey, toActor } from "@trailbook/core/actor"
import { TenantScope } from "@trailbook/core/port"
import type * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as RateLimit from "../limit/RateLimit.ts"
import type { BucketState } from "../limit/TokenBuckets.ts"
import type { Reply } from "../response/Reply.ts"
import type { RequestContext } from "./RequestContext.ts"

/**
 * Identifies the caller of a request. API callers send a key, and a host application that mounts the handler can use
 * its own sign-in. `address` is the client address, if the server provides one.
 */
export type RequestAuthenticator<C = Credential> = (
  request: Request,
  address?: string
) => Effect.Effect<C, Refusal<"unauthorized" | "unavailable">>

/** The credential of an identified caller. */
export interface Credential {
  /** The ID used to count the credential's usage. */
  readonly id: string
  readonly actor: Actor["Type"]
}

/** Identifies the caller and then runs the effect as that caller. */
export type AuthenticatedRunner = <A, E>(
  exchange: RequestContext,
  then: (caller: AuthenticatedCaller) => Effect.Effect<A, E>
) => Effect.Effect<A, E | Refusal>

/** A credential, along with a context that contains its actor. */
export interface AuthenticatedCaller extends Credential {
  readonly context: Context.Context<Actor>
}

export const toAuthenticatedCaller = ({ actor, id }: Credential): AuthenticatedCaller => ({
  id,
  actor,
  context: Context.make(Actor, actor)
})

/**
 * Caches the caller for each key. Keys can be looked up by identity, because `ApiKeys` returns the same object until
 * the key changes. The cache reuses contexts, because a fiber hashes every new context, which adds 5 µs to a read.
 */
export const makeApiKeyCallerCache = (): (key: ApiKey) => AuthenticatedCaller => {
  const callers = new WeakMap<ApiKey, AuthenticatedCaller>()
  return (key) => {
    const cachedCaller = callers.get(key)
    if (cachedCaller !== undefined) return cachedCaller
    const caller = toAuthenticatedCaller({ id: key.id, actor: toActor(key, "api") })
    callers.set(key, caller)
    return caller
  }
}

/**
 * Runs an effect as an actor. The previous context is not restored, because the fiber ends with the request. Setting
 * the context costs half as much as forking a fiber.
 */
export const runAsActor = <A, E>(
  context: Context.Context<Actor>,
  effect: Effect.Effect<A, E, Actor>
): Effect.Effect<A, E> =>
  Effect.zipRight(
    FiberRef.set(FiberRef.currentContext, context),
    // The cast is safe, because the context was set above.
    effect as Effect.Effect<A, E>
  )

/** Identifies callers and applies their rate limits. */
interface Admission {
  /**
   * Authenticates the caller before reading any other part of the request, so that 401 takes precedence over all other
   * errors.
   */
  readonly admit: AuthenticatedRunner
  /**
   * Like `admit`, but for reads of a few rows. If the credential was valid when last checked, the read runs while it is
   * checked again. The read and the check can then share a database round trip. The response is returned only if the
   * credential is still valid. Otherwise, the read is interrupted.
   */
  readonly admitRead: <E>(
    exchange: RequestContext,
    read: (caller: AuthenticatedCaller) => Effect.Effect<Reply, E>
  ) => Effect.Effect<Reply, E | Refusal>
}

/** Creates the checks. `lastValid` returns a request's credential if it was valid when last checked. */
export const makeAuthentication = <C>(
  authorize: RequestAuthenticator<C>,
  toAuthenticated: (credential: C) => AuthenticatedCaller,
  limit: RateLimit.RateLimit,
  clock: Clock.Clock,
  lastValid: (request: Request) => C | undefined = () => undefined
): Admission => {
  const refuseCaller = (
    { connection }: RequestContext,
    cause: Cause.Cause<Refusal>
  ): Exit.Exit<never, Refusal> => {
    const bucket = cause._tag === "Fail"
      ? limit.failures?.take(connection.remoteAddress ?? "", clock.unsafeCurrentTimeMillis())
      : undefined
    return bucket?.allowed === false ? Exit.fail(RateLimit.refuseRateLimited(bucket)) : Exit.failCause(cause)
  }
  const check = ({ connection, request }: RequestContext) => authorize(request, connection.remoteAddress)
  const takeToken = ({ id }: AuthenticatedCaller) => limit.keys?.take(id, clock.unsafeCurrentTimeMillis())
  const recordCaller = (
    exchange: RequestContext,
    { actor, id }: AuthenticatedCaller,
    bucket: BucketState | undefined
  ) => {
    exchange.orgId = actor.orgId
    exchange.bucket = bucket
    exchange.keyId = id
  }
  const admit: AuthenticatedRunner = <A, E>(
    exchange: RequestContext,
    then: (caller: AuthenticatedCaller) => Effect.Effect<A, E>
  ) =>
    Effect.matchCauseEffect(check(exchange), {
      onFailure: (cause) => refuseCaller(exchange, cause),
      onSuccess: (credential): Effect.Effect<A, E | Refusal> => {
        const caller = toAuthenticated(credential)
        const bucket = takeToken(caller)
        recordCaller(exchange, caller, bucket)
        return bucket?.allowed === false
          ? Exit.fail(RateLimit.refuseRateLimited(bucket))
          : then(caller)
      }
    })
  return {
    admit,
    admitRead: (exchange, read) => {
      const lastCredential = lastValid(exchange.request)
      if (lastCredential === undefined) return admit(exchange, read)
      const caller = toAuthenticated(lastCredential)
      const bucket = takeToken(caller)
      // `admit` refuses the request only after it has checked the key, because 401 takes precedence.
      if (bucket?.allowed === false) return admit(exchange, read)
      return Effect.flatMap(Effect.fork(read(caller)), (fiber) =>
        Effect.onError(
          Effect.matchCauseEffect(Effect.provideService(check(exchange), TenantScope, [caller.actor.orgId]), {
            onFailure: (cause) => refuseCaller(exchange, cause),
            onSuccess: (credential) => {
              const current = toAuthenticated(credential)
              recordCaller(exchange, current, bucket)
              return current === caller
                ? Effect.flatten(Fiber.await(fiber))
                : Effect.zipRight(discard(fiber), read(current))
            }
          }),
          () => discard(fiber)
        ))
    }
  }
}

/** Interrupts a read, and stops its response if streaming has already started. */
const discard = <E>(fiber: Fiber.Fiber<Reply, E>): Effect.Effect<void> =>
  Effect.map(Fiber.interrupt(fiber), (exit) => {
    if (Exit.isSuccess(exit) && typeof exit.value.body === "object") exit.value.body?.stop()
  })

/**
 * Returns the key from an `Authorization` header, or an empty string, which is never a valid key. The scheme is
 * case-insensitive (RFC 9110).
 */
export const parseBearerKey = (header: string | null): string =>
  header !== null && header.slice(0, 7).toLowerCase() === "bearer " ? header.slice(7).trim() : ""
