/**
 * What Postgres knows of new tables: nothing, until its autovacuum comes by after
 * a minute. On empty tables every index is as good as the next one, so it takes
 * any, and by then a service under load has filled them by such plans: after
 * two thousand bookings the search for 64 keys took 20 ms instead of one. So the
 * tables are analysed after the first units of work, and again whenever there were
 * twice as many; each table only if it has doubled since it was last analysed, by
 * whomever. A table that has its size is left to autovacuum.
 *
 * Tables may be emptied under a server that has run for long, by a restore. What is
 * planned then is planned for nothing and kept, and a booking costs fifteen times as
 * much until something is learnt of the tables: twice as many units of work may be
 * days away. So while there is work they are looked at every few seconds as well; a
 * look reads a dozen rows of the catalogue, and an analysed table is planned for again.
 */
import type { Connection } from "@trailbook/sql/Connection"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

type Acquire = Effect.Effect<Connection, unknown, Scope.Scope>

/** The first time, after so many units of work. */
const first = 4

/** Between two looks while there is work. Autovacuum would come by after a minute, if it is on. */
const everyMs = 5000

/**
 * An effect for every unit of work, which once in a while looks at the tables in
 * the background and analyses what has grown; `beside` is done over the same
 * connection, before that.
 */
export const analyzeAfterGrowth = (
  acquire: Acquire,
  schema: string,
  beside: (connection: Connection) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<Effect.Effect<void>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    // One look at a time: where connections are scarce it may have to wait for one.
    let looking = false
    const look = Effect.ensuring(
      analyse(Effect.tap(acquire, beside), schema),
      Effect.sync(() => void (looking = false))
    )
    const inBackground = Effect.suspend(() => {
      looking = true
      return Effect.asVoid(Effect.forkIn(look, scope))
    })
    let units = 0
    let next = first
    let lookedAt = Number.NEGATIVE_INFINITY
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      units++
      // The first looks are for units of work, however quickly they come; and a clock that was set back starts again.
      const due = units >= next || (units > first && Math.abs(now - lookedAt) >= everyMs)
      if (!due || looking) return Effect.void
      if (units >= next) next *= 2
      lookedAt = now
      return inBackground
    })
  })

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
