import { Actor } from "@trailbook/core/actor/Actor"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Work that is nobody's in particular, also where somebody acts: with an actor the
 * database would show it that one's rows alone.
 */
export const withoutTenantScope = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(
    work,
    // Types have no word for what may be in a context besides what is asked of it.
    (context: Context.Context<R>) => Context.omit(Actor)(context as Context.Context<Actor | R>) as Context.Context<R>
  )
