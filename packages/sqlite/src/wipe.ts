/**
 * @since 0.1.0
 */
import type { SqliteClient } from "@effect/sql-sqlite-node/SqliteClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { pragma } from "./pragma.ts"

/**
 * Moves the write-ahead log into the database and cuts it to nothing. With
 * `secure_delete` the database holds zeros where something was deleted; the log
 * would keep it until it is written over.
 *
 * A reader of an older state stops it. One of ours, a snapshot, could not go on
 * while SQLite waits for it, so those are waited for first and SQLite is told
 * not to wait. Readers in other processes are given a second.
 *
 * @since 0.1.0
 * @category effects
 */
export const wipe = (snapshots: SqliteClient) => (connection: Connection): Effect.Effect<void> => {
  const truncate = Effect.filterOrFail(
    pragma<{ readonly busy: number }>(connection, "wal_checkpoint(truncate)"),
    ([row]) => row?.busy === 0,
    () => new SqlError({ message: "Another process reads an older state of the database.", cause: undefined })
  )
  return Effect.scoped(Effect.zipRight(snapshots.reserve, withoutWaiting(connection, truncate))).pipe(
    Effect.retry(Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(20))),
    // It is committed and stays so; the next erasure or the end of the last process cuts the log.
    Effect.catchAll((error) => Effect.logWarning("Erased data is still in the database's write-ahead log.", error)),
    Effect.asVoid
  )
}

const withoutWaiting = <A>(connection: Connection, use: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  Effect.zipRight(
    pragma(connection, "busy_timeout = 0"),
    Effect.ensuring(use, Effect.orDie(pragma(connection, `busy_timeout = ${busyTimeoutMs}`)))
  )

/**
 * How long SQLite waits for another process before it says that it is busy.
 *
 * @since 0.1.0
 * @category constants
 */
export const busyTimeoutMs = 5000

/**
 * Empties the write-ahead log once the unit of work that it is run in has
 * committed; outside of one, now.
 *
 * @since 0.1.0
 * @category effects
 */
export const checkpoint: Effect.Effect<void, never, Database> = Effect.flatMap(Database, ({ erase }) =>
  // To erase nothing leaves what follows an erasure.
  Effect.asVoid(erase("select 1")))
