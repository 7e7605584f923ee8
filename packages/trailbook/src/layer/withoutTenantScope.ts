import { Actor } from "@trailbook/core/actor"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Removes the actor from the context of work that spans several orgs. With an actor, the database would return only the
 * rows of that actor's org.
 */
export const withoutTenantScope = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(
    work,
    // The cast is needed because an effect's type lists only the services it requires, not an extra actor in the
    // context.
    (context: Context.Context<R>) => Context.omit(Actor)(context as Context.Context<Actor | R>) as Context.Context<R>
  )
