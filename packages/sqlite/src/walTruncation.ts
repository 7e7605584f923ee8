import type { Lane } from "@trailbook/sql/Connection"
import { Database } from "@trailbook/sql/Database"
import type { ReservedConnection } from "@trailbook/sql/reservedConnection"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"

/**
 * Moves the write-ahead log into the database and cuts it to nothing, after what
 * was committed is no longer to be found. With `secure_delete` the database holds
 * zeros where something was deleted; the log would keep it until it is written over.
 *
 * A reader of an older state stops it. One of ours, a snapshot, may go on for
 * minutes, and nobody can write meanwhile if the log is waited for: so the log is
 * cut when the last of them has ended. Readers in other processes are given a second.
 */
export interface WalTruncation {
  /** By whoever holds the writer. */
  readonly wipe: Effect.Effect<void>
  /** Of a snapshot. */
  readonly begun: Effect.Effect<void>
  readonly ended: Effect.Effect<void>
  /** As soon as the writer is free, and not waited for. */
  readonly later: Effect.Effect<void>
}

export const makeWalTruncation = (
  { foreign }: ReservedConnection,
  writer: Lane["acquire"]
): Effect.Effect<WalTruncation, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    let snapshots = 0
    let isDue = false
    const waitingMs = (millis: number) => foreign(`pragma busy_timeout = ${millis}`, [])
    const truncate = Effect.acquireUseRelease(
      waitingMs(0),
      () =>
        Effect.filterOrFail(
          foreign("pragma wal_checkpoint(truncate)", []) as Effect.Effect<ReadonlyArray<{ busy: number }>, unknown>,
          ([row]) => row?.busy === 0,
          () => new Error("Another process reads an older state of the database.")
        ),
      () => Effect.orDie(waitingMs(busyTimeoutMs))
    )
    const wipe: Effect.Effect<void> = Effect.suspend(() => {
      isDue = snapshots > 0
      return isDue ? Effect.void : truncate
    }).pipe(
      Effect.retry(Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(20))),
      // It is committed and stays so; the next erasure or the end of the last process cuts the log.
      Effect.catchAll((error) => Effect.logWarning("Erased data is still in the database's write-ahead log.", error)),
      Effect.asVoid
    )
    const inTurn = Effect.catchAll(Effect.scoped(Effect.zipRight(writer, wipe)), Effect.die)
    const later = Effect.asVoid(Effect.forkIn(inTurn, scope))
    return {
      wipe,
      later,
      begun: Effect.sync(() => {
        snapshots++
      }),
      ended: Effect.suspend(() => {
        snapshots--
        return isDue && snapshots === 0 ? later : Effect.void
      })
    }
  })

/** How long SQLite waits for another process before it says that it is busy. */
export const busyTimeoutMs = 5000

/**
 * Empties the write-ahead log once the unit of work that it is run in has
 * committed; outside of one, now.
 */
export const checkpoint: Effect.Effect<void, never, Database> = Effect.flatMap(Database, ({ erase }) =>
  // To erase nothing leaves what follows an erasure.
  Effect.asVoid(erase("select 1")))
