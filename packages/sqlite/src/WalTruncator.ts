import type { TransactionPool } from "@trailbook/sql/Connection"
import { Database } from "@trailbook/sql/Database"
import type { ReservedConnection } from "@trailbook/sql/reservedConnection"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"

/**
 * Truncates the write-ahead log after an erasure, so that no deleted data remains. With `secure_delete`, SQLite
 * overwrites deleted data in the database with zeros, but the log still contains the data until it is overwritten too.
 *
 * A reader that still uses an older snapshot blocks the truncation. A snapshot can stay open for minutes, and waiting
 * for it to end would block all writers. The log is therefore truncated when the last snapshot ends. If readers in
 * other processes block the truncation, it is retried for 1 second.
 */
export interface WalTruncator {
  /** Truncates the log. The caller must hold the writer connection. */
  readonly truncate: Effect.Effect<void>
  /** Records that a snapshot has started. */
  readonly countSnapshotStart: Effect.Effect<void>
  readonly countSnapshotEnd: Effect.Effect<void>
  /** Schedules a truncation for the next time the writer is free. Does not wait for the truncation. */
  readonly later: Effect.Effect<void>
}

export const makeWalTruncator = (
  { foreign }: ReservedConnection,
  writer: TransactionPool["acquire"]
): Effect.Effect<WalTruncator, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    let snapshots = 0
    let isDue = false
    const setBusyTimeout = (millis: number) => foreign(`pragma busy_timeout = ${millis}`, [])
    const truncate = Effect.acquireUseRelease(
      setBusyTimeout(0),
      () =>
        Effect.filterOrFail(
          foreign("pragma wal_checkpoint(truncate)", []) as Effect.Effect<ReadonlyArray<{ busy: number }>, unknown>,
          ([row]) => row?.busy === 0,
          () => new Error("Another process is reading an older snapshot of the database.")
        ),
      () => Effect.orDie(setBusyTimeout(busyTimeoutMs))
    )
    const truncateIfIdle: Effect.Effect<void> = Effect.suspend(() => {
      isDue = snapshots > 0
      return isDue ? Effect.void : truncate
    }).pipe(
      Effect.retry(Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(20))),
      // Only log the failure, because the erasure is already committed. The next erasure, or the end of the last
      // process, truncates the log.
      Effect.catchAll((error) =>
        Effect.logWarning("Could not truncate the write-ahead log, so it still contains erased data", error)
      ),
      Effect.asVoid
    )
    const truncateInTurn = Effect.catchAll(Effect.scoped(Effect.zipRight(writer, truncateIfIdle)), Effect.die)
    const later = Effect.asVoid(Effect.forkIn(truncateInTurn, scope))
    return {
      truncate: truncateIfIdle,
      later,
      countSnapshotStart: Effect.sync(() => {
        snapshots++
      }),
      countSnapshotEnd: Effect.suspend(() => {
        snapshots--
        return isDue && snapshots === 0 ? later : Effect.void
      })
    }
  })

/** How long SQLite waits for another process before it reports that the file is busy, in milliseconds. */
export const busyTimeoutMs = 5000

/**
 * Truncates the write-ahead log after the surrounding unit of work commits. Outside a unit of work, truncates the log
 * immediately.
 */
export const truncateWal: Effect.Effect<void, never, Database> = Effect.flatMap(Database, ({ erase }) =>
  // This statement erases nothing, but it triggers the truncation that follows an erasure.
  Effect.asVoid(erase("select 1")))
