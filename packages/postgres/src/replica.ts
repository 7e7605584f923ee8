/**
 * Serves the reads of list, search, and report operations from a streaming standby.
 *
 * An operation first reads the primary's WAL position. Once the standby has replayed that position, the operation reads
 * from the standby. It therefore sees every write that any server acknowledged before the operation started. Reading
 * the position is cheap, because concurrent requests share the lookup.
 *
 * If the standby falls too far behind, the primary serves all reads for 1 second. If the standby fails, it does so for
 * 5 seconds.
 */
import { currentReplicaRead } from "@trailbook/core/port"
import type { Driver } from "@trailbook/sql/Database"
import type { ReservedConnection } from "@trailbook/sql/reservedConnection"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import type * as Scope from "effect/Scope"
import type { Pool } from "pg"
import { ConnectionLost } from "./classifyError.ts"
import type { makeLookup } from "./client/lookup.ts"

type Acquire = Effect.Effect<ReservedConnection, unknown, Scope.Scope>

type Reader = Required<Driver["reader"]>

interface Server extends Reader {
  readonly acquire: Acquire
}

interface Primary extends Server {
  readonly lookup: ReturnType<typeof makeLookup>
}

/**
 * The maximum time to wait for the standby. It is longer than a standby's usual delay, but short enough that callers
 * can wait.
 */
const maxWaitMs = 100
const pollIntervalMs = 5
/** How long the primary serves all reads after the standby falls behind or fails, in milliseconds. */
const pauseMs = { behind: 1000, failed: 5000 }

/** Serves the reads of eligible operations from the standby, and all other reads from the primary. */
export const withReplica = (primary: Primary, standby: Server, pool: Pool): Server => {
  const state = { replayedPosition: 0, pausedUntil: 0 }
  // A new connection can reach a server that was restored from a backup and is behind.
  pool.on("connect", () => void (state.replayedPosition = 0))
  const pauseStandby = (ms: number) => Effect.sync(() => void (state.pausedUntil = performance.now() + ms))

  const refreshPosition = Effect.map(
    standby.run<{ readonly at: number | null }>(
      "select (pg_last_wal_replay_lsn() - '0/0')::double precision as at",
      [],
      []
    ),
    ([row]) => void (state.replayedPosition = row?.at ?? 0)
  )
  const waitFor = (position: number, until: number): Effect.Effect<boolean, unknown> =>
    Effect.suspend(() => {
      if (state.replayedPosition >= position) return Effect.succeed(true)
      if (performance.now() > until) return Effect.as(pauseStandby(pauseMs.behind), false)
      return Effect.zipRight(
        refreshPosition,
        Effect.suspend(() =>
          state.replayedPosition >= position
            ? Effect.succeed(true)
            : Effect.delay(waitFor(position, until), pollIntervalMs)
        )
      )
    })

  /** Whether the standby currently serves this fiber's reads. */
  const canUseStandby = Effect.flatMap(FiberRef.get(currentReplicaRead), (operation) => {
    if (operation === undefined || performance.now() < state.pausedUntil) return Effect.succeed(false)
    return Effect.gen(function*() {
      operation.position ??= yield* Effect.map(
        primary.lookup<{ readonly at: number }>(
          "select (pg_current_wal_flush_lsn() - '0/0')::double precision as at",
          [],
          undefined,
          false
        ),
        ([row]) => row?.at ?? Number.POSITIVE_INFINITY
      )
      return yield* waitFor(operation.position, performance.now() + maxWaitMs)
    }).pipe(Effect.catchAll(() => Effect.as(pauseStandby(pauseMs.failed), false)))
  })

  const preferStandby = <A, R>(onStandby: Effect.Effect<A, unknown, R>, onPrimary: Effect.Effect<A, unknown, R>) =>
    Effect.flatMap(canUseStandby, (usesStandby) =>
      usesStandby
        // A query on a standby can fail because it conflicts with replay. The primary can repeat it, because reads have
        // no side effects.
        ? Effect.catchAll(
          onStandby,
          (error) =>
            Effect.zipRight(error instanceof ConnectionLost ? pauseStandby(pauseMs.failed) : Effect.void, onPrimary)
        )
        : onPrimary)

  return {
    acquire: preferStandby(standby.acquire, primary.acquire),
    run: (...statement) => preferStandby(standby.run(...statement), primary.run(...statement)),
    lookup: (...statement) => preferStandby(standby.lookup(...statement), primary.lookup(...statement))
  }
}
