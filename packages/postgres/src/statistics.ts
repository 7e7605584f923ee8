/**
 * What Postgres knows of new tables: nothing, until its autovacuum comes by after
 * a minute. On empty tables every index is as good as the next one, so it takes
 * any, and by then a service under load has filled them by such plans: after
 * two thousand bookings the search for 64 keys took 20 ms instead of one. So the
 * tables are analysed after the first units of work, and again whenever there were
 * twice as many; each table only if it has doubled since it was last analysed, by
 * whomever. A table that has its size is left to autovacuum.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PostgresConnection } from "./PostgresConnection.ts"

type Acquire = Effect.Effect<PostgresConnection, unknown, Scope.Scope>

/** The first time, after so many units of work. */
const first = 4

/**
 * An effect for every unit of work, which once in a while analyses in the
 * background.
 *
 * @since 0.1.0
 * @category constructors
 */
export const counting = (acquire: Acquire, schema: string): Effect.Effect<Effect.Effect<void>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const inBackground = Effect.asVoid(Effect.forkIn(analyse(acquire, schema), scope))
    let units = 0
    let next = first
    return Effect.suspend(() => {
      if (++units < next) return Effect.void
      next *= 2
      return inBackground
    })
  })

/**
 * @since 0.1.0
 * @category effects
 */
export const analyse = (acquire: Acquire, schema: string): Effect.Effect<void> =>
  Effect.scoped(Effect.gen(function*() {
    const { control, run } = yield* acquire
    const grown = yield* run<{ readonly name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = $1 and c.relkind = 'r'
          and pg_relation_size(c.oid) > 2 * greatest(c.relpages, 0) * current_setting('block_size')::bigint`,
      [schema]
    )
    // Whoever may not analyse is told so by a warning of the server, and is left with what autovacuum does.
    for (const { name } of grown) yield* control(`analyze "${schema}"."${name}"`)
  })).pipe(
    Effect.catchAll((error) => Effect.logWarning("The tables could not be analysed; autovacuum will do it.", error))
  )
