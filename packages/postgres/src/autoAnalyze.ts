/**
 * Analyzes new tables before autovacuum does, which takes a minute. Without statistics every index of an empty table
 * looks equally good, so Postgres picks any of them. A service under load fills the tables with such plans: after
 * 2,000 bookings the search for 64 keys took 20 ms instead of 1 ms. The tables are therefore analyzed after the first
 * units of work and whenever that number has doubled. A table is analyzed only if it has doubled in size since its
 * last analysis by any process. A table of stable size is left to autovacuum.
 *
 * A restore can empty the tables under a long-running server. Plans made then are kept, and a booking costs 15 times
 * as much until the tables are analyzed again. The next doubling may be days away, so the sizes are also checked
 * every few seconds while there is work. A check reads a dozen catalog rows, and statements on an analyzed table are
 * planned again.
 */
import type { Connection } from "@trailbook/sql/Connection"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

type Acquire = Effect.Effect<Connection, unknown, Scope.Scope>

/** Number of units of work before the first check. */
const first = 4

/** Interval between two checks while there is work. Autovacuum, if enabled, runs every minute. */
const everyMs = 5000

/**
 * Returns an effect to run after every unit of work. It periodically checks the tables in the background and analyzes
 * those that have grown. `beside` runs over the same connection before the check.
 */
export const analyzeAfterGrowth = (
  acquire: Acquire,
  schema: string,
  beside: (connection: Connection) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<Effect.Effect<void>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    // One check at a time, because a check may wait for a connection if the pool is small.
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
      // The first checks depend only on the number of units of work. `abs` handles a clock that was set back.
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
    // A role that may not analyze a table only gets a warning from the server, and autovacuum does the work.
    for (const { name } of grown) yield* control(`analyze "${schema}"."${name}"`)
  })).pipe(
    Effect.catchAll((error) => Effect.logWarning("ANALYZE failed, statistics are left to autovacuum", error))
  )
