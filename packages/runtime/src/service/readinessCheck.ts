import { Database } from "@trailbook/sql/Database"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Commits a write that changes nothing. Dies if the database rejects writes or has no space left. */
export const writeHeartbeat: Effect.Effect<void, never, Database> = Effect.flatMap(
  Database,
  ({ dialect, execute, transaction }) =>
    transaction(Effect.forEach(dialect.heartbeat, (statement) => execute(statement), { discard: true }))
)

/**
 * How long a successful heartbeat is valid. It is not repeated within this time, so frequent probes cause few writes.
 */
const heartbeatMs = 5000

/** The readiness check for `/readyz`: writes to the database, or queries it if a write succeeded recently. */
export const makeReadinessCheck: Effect.Effect<Effect.Effect<boolean>, never, Database> = Effect.map(
  Database,
  (database) => {
    let writtenAt = Number.NEGATIVE_INFINITY
    const write = (now: number) => {
      // Set the time before the write, so that concurrent probes write only once.
      writtenAt = now
      return Effect.onError(Effect.provideService(writeHeartbeat, Database, database), () =>
        Effect.sync(() => {
          writtenAt = Number.NEGATIVE_INFINITY
        }))
    }
    return Clock.currentTimeMillis.pipe(
      // Use `abs` in case the clock was set back.
      Effect.flatMap((now) => Math.abs(now - writtenAt) < heartbeatMs ? database.query("select 1") : write(now)),
      Effect.as(true),
      Effect.catchAllDefect((defect) =>
        Effect.as(Effect.logError("The database does not respond or does not accept writes", defect), false)
      )
    )
  }
)
