import * as Reactivity from "@effect/experimental/Reactivity"
import * as PgClient from "@effect/sql-pg/PgClient"
import type { Lane } from "@trailbook/sql/Connection"
import { driverCause, type ReservedConnection, reserveOver } from "@trailbook/sql/reservedConnection"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Pool, PoolClient } from "pg"
import { ConnectionLost } from "./classifyError.ts"
import type { ConnectionOptions } from "./PipelinedClient.ts"
import { makePipelinedPool } from "./PipelinedPool.ts"
import { withHints } from "./statementHints.ts"
import type { BeginStatement } from "./transactionSettings.ts"

/** A client of `@effect/sql-pg` over a pool, which is not ended with it. */
export interface PooledClient {
  readonly client: PgClient.PgClient
  /**
   * A connection until the scope closes. It goes back to the pool if it is as good as
   * new; one that was lost, or is still in a transaction, is thrown away and the pool
   * makes another. Who waits for it may give up; it then goes to the next one.
   */
  readonly acquire: Effect.Effect<ReservedConnection, ConnectionLost, Scope.Scope>
}

export const makePooledClient = (
  pool: Pool,
  options: ConnectionOptions
): Effect.Effect<PooledClient, unknown, Scope.Scope> => {
  const { giveUp, pool: facade } = makePipelinedPool(pool, options)
  return Effect.map(
    Effect.provideServiceEffect(
      PgClient.fromPool({ acquire: Effect.succeed(facade) }),
      Reactivity.Reactivity,
      Reactivity.make
    ),
    (client) => ({
      client,
      acquire: Effect.uninterruptibleMask((restore) =>
        Effect.withFiberRuntime((fiber) =>
          Effect.mapBoth(Effect.onInterrupt(restore(client.reserve), () => Effect.sync(() => giveUp(fiber))), {
            onFailure: (error) => new ConnectionLost(driverCause(error)),
            onSuccess: (sql) => reserveOver(sql, withHints)
          })
        )
      )
    })
  )
}

/** A connection of a pool until the scope closes, for whoever needs one once. */
export const acquire = (
  pool: Pool,
  options: ConnectionOptions
): Effect.Effect<ReservedConnection, unknown, Scope.Scope> =>
  Effect.flatMap(makePooledClient(pool, options), ({ acquire }) => acquire)

/**
 * The pool beneath a client that the program has made, which keeps it to itself: a
 * connection that was reserved has the client of `pg`.
 */
export const underlyingPool = (client: PgClient.PgClient): Pool => {
  const connect = (
    taken: (error: unknown, client?: PoolClient, release?: (destroy?: unknown) => void) => void
  ): void => {
    const scope = Effect.runSync(Scope.make())
    const close = () => Effect.runFork(Scope.close(scope, Exit.void))
    Effect.runCallback(Scope.extend(client.reserve, scope), {
      onExit: (exit) => {
        if (Exit.isFailure(exit)) return taken(driverCause(Cause.squash(exit.cause)))
        const pg = "pg" in exit.value ? exit.value.pg as PoolClient : undefined
        if (pg === undefined) {
          close()
          return taken(new Error("This PgClient does not show its connections; give its pool instead: { pool }."))
        }
        taken(undefined, pg, (destroy) => {
          // A client that has ended is none that its pool takes back.
          if (destroy === true) pg.end().catch(() => {})
          close()
        })
      }
    })
  }
  return { options: {}, ending: false, connect } as unknown as Pool
}

/** Where transactions run that begin by these statements. */
export const lane = (
  connection: Effect.Effect<ReservedConnection, unknown, Scope.Scope>,
  begin: (tenants: ReadonlyArray<string> | undefined) => ReadonlyArray<BeginStatement>
): Lane<ReservedConnection> => ({
  acquire: connection,
  // They are sent with the first statement.
  begin: ({ open }, tenants) =>
    Effect.forEach(begin(tenants), ({ text, values }) => open(text, values), { discard: true }),
  // The rows that were erased are dead, and Postgres cleans up behind itself.
  wipe: () => Effect.void
})
