/**
 * Analyzes new tables sooner than autovacuum, which takes a minute. Without statistics, all indexes of an empty table
 * look equally good, so Postgres picks one arbitrarily. A busy service then keeps using the bad plans while the tables
 * fill up. After 2,000 bookings, the search for 64 keys took 20 ms instead of 1 ms. The tables are therefore checked
 * after the first few units of work, and again each time the number of units doubles. A check analyzes a table only if
 * it has doubled in size since any process last analyzed it. Autovacuum handles tables of a stable size.
 *
 * A restore can empty the tables while a server is running. The server keeps the plans that it made for the empty
 * tables, and a booking costs 15 times as much until the tables are analyzed again. The next doubling may be days away,
 * so the sizes are also checked every few seconds while units of work run. A check reads a dozen catalog rows. After a
 * table is analyzed, Postgres plans its statements again.
 */
import type { Connection } from "@trailbook/sql/Connection"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

type Acquire = Effect.Effect<Connection, unknown, Scope.Scope>

/** The number of units of work before the first check. */
const firstCheckAt = 4

/**
 * The interval between two checks while units of work run. For comparison, autovacuum runs every minute if it is
 * enabled.
 */
const checkIntervalMs = 5000

/**
 * Returns an effect to run after every unit of work. It periodically starts a background check, which analyzes the
 * tables that have grown. `prepare` runs on the same connection before the check.
 */
export const analyzeAfterGrowth = (
  acquire: Acquire,
  schema: string,
  prepare: (connection: Connection) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<Effect.Effect<void>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    // Only one check runs at a time, because checks would pile up if the pool were too small for them.
    let isChecking = false
    const check = Effect.ensuring(
      analyzeGrownTables(Effect.tap(acquire, prepare), schema),
      Effect.sync(() => void (isChecking = false))
    )
    const startCheck = Effect.suspend(() => {
      isChecking = true
      return Effect.asVoid(Effect.forkIn(check, scope))
    })
    let units = 0
    let nextCheckAt = firstCheckAt
    let checkedAt = Number.NEGATIVE_INFINITY
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      units++
      // The first checks depend only on the number of units of work. `abs` handles a clock that was set back.
      const isDue = units >= nextCheckAt || (units > firstCheckAt && Math.abs(now - checkedAt) >= checkIntervalMs)
      if (!isDue || isChecking) return Effect.void
      if (units >= nextCheckAt) nextCheckAt *= 2
      checkedAt = now
      return startCheck
    })
  })

export const analyzeGrownTables = (acquire: Acquire, schema: string): Effect.Effect<void> =>
  Effect.scoped(Effect.gen(function*() {
    const { control, run } = yield* acquire
    const tables = yield* run<{ readonly name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = $1 and c.relkind = 'r'
          and pg_relation_size(c.oid) > 2 * greatest(c.relpages, 0) * current_setting('block_size')::bigint`,
      [schema]
    )
    // If our role may not analyze a table, the server only warns, and autovacuum analyzes the table later.
    for (const { name } of tables) yield* control(`analyze "${schema}"."${name}"`)
  })).pipe(
    Effect.catchAll((error) =>
      Effect.logWarning("ANALYZE failed. Statistics stay outdated until autovacuum runs", error)
    )
  )
