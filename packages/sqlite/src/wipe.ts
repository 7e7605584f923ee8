/**
 * @since 0.1.0
 */
import type { Lane } from "@trailbook/sql/Connection"
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { SqliteConnection } from "./SqliteConnection.ts"

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
export const wipe = ({ driver }: SqliteConnection, snapshot: Lane["acquire"]): Effect.Effect<void> => {
  const truncate = Effect.try({
    try: () => {
      driver.pragma("busy_timeout = 0")
      try {
        const busy = driver.pragma("wal_checkpoint(truncate)", { simple: true })
        if (busy !== 0) throw new Error("Another process reads an older state of the database.")
      } finally {
        driver.pragma(`busy_timeout = ${busyTimeoutMs}`)
      }
    },
    catch: (error) => error
  })
  return Effect.scoped(Effect.zipRight(snapshot, truncate)).pipe(
    Effect.retry(Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(20))),
    // It is committed and stays so; the next erasure or the end of the last process cuts the log.
    Effect.catchAll((error) => Effect.logWarning("Erased data is still in the database's write-ahead log.", error)),
    Effect.asVoid
  )
}

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
