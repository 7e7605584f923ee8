import * as Reactivity from "@effect/experimental/Reactivity"
import * as PgClient from "@effect/sql-pg/PgClient"
import { currentTraceHeaders } from "@trailbook/core/port"
import type { TransactionPool } from "@trailbook/sql/Connection"
import { makeReservedConnection, type ReservedConnection, unwrapDriverError } from "@trailbook/sql/reservedConnection"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from "pg"
import { ConnectionLost } from "../classifyError.ts"
import type { SettingsStatement } from "../transactionSettings.ts"
import { type ConnectionOptions, PipelinedClient } from "./PipelinedClient.ts"
import { hintedStatementEncoder } from "./preparedStatements.ts"

/** An `@effect/sql-pg` client that uses a pool. Closing the client does not end the pool. */
export interface PooledClient {
  readonly client: PgClient.PgClient
  /** The pool, whose clients are pipelined. */
  readonly pool: Pool
  /**
   * Acquires a connection and holds it until the scope closes. A reusable connection then returns to the pool. A
   * connection that is lost or still in a transaction is destroyed, and the pool creates another. If a waiting fiber is
   * interrupted, the next fiber gets the connection.
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
      pool: facade,
      acquire: Effect.uninterruptibleMask((restore) =>
        Effect.withFiberRuntime((fiber) =>
          Effect.mapBoth(Effect.onInterrupt(restore(client.reserve), () => Effect.sync(() => giveUp(fiber))), {
            onFailure: (error) => new ConnectionLost(unwrapDriverError(error)),
            onSuccess: (sql) => makeReservedConnection(sql, hintedStatementEncoder)
          })
        )
      )
    })
  )
}

/** Acquires a single connection from a pool and holds it until the scope closes. */
export const acquireConnection = (
  pool: Pool,
  options: ConnectionOptions
): Effect.Effect<ReservedConnection, unknown, Scope.Scope> =>
  Effect.flatMap(makePooledClient(pool, options), ({ acquire }) => acquire)

/**
 * Returns a pool that takes its connections from the host application's `@effect/sql-pg` client. The client does not
 * expose its own pool, but each connection that it reserves exposes a `pg` client.
 */
export const makePoolFromClient = (client: PgClient.PgClient): Pool => {
  const connect = (
    callback: (error: unknown, client?: PoolClient, release?: (destroy?: unknown) => void) => void
  ): void => {
    const scope = Effect.runSync(Scope.make())
    const close = () => Effect.runFork(Scope.close(scope, Exit.void))
    Effect.runCallback(Scope.extend(client.reserve, scope), {
      onExit: (exit) => {
        if (Exit.isFailure(exit)) return callback(unwrapDriverError(Cause.squash(exit.cause)))
        const pg = "pg" in exit.value ? exit.value.pg as PoolClient : undefined
        if (pg === undefined) {
          close()
          return callback(new Error("This PgClient does not expose its connections. Pass its pool instead: { pool }."))
        }
        callback(undefined, pg, (destroy) => {
          // End the client, so that the host's pool cannot reuse it.
          if (destroy === true) pg.end().catch(() => {})
          close()
        })
      }
    })
  }
  return { options: {}, ending: false, connect } as unknown as Pool
}

/** Returns a lane whose transactions start with the statements from `begin`. */
export const makeTransactionPool = (
  connection: Effect.Effect<ReservedConnection, unknown, Scope.Scope>,
  begin: (tenants: ReadonlyArray<string> | undefined) => ReadonlyArray<SettingsStatement>
): TransactionPool<ReservedConnection> => ({
  acquire: connection,
  // These statements are sent with the first statement of the transaction.
  begin: ({ open }, tenants) =>
    Effect.flatMap(currentTraceHeaders, ({ traceparent }) =>
      Effect.forEach(
        traceparent === undefined ? begin(tenants) : [...begin(tenants), traceSetting(traceparent)],
        ({ text, values }) => open(text, values),
        { discard: true }
      )),
  // No action is needed, because vacuum removes the erased rows.
  truncateLog: () => Effect.void
})

/**
 * The setting that the extension `pg_tracing` reads to continue a trace. Servers without the extension ignore the
 * setting. A trace comment in each statement would prevent requests from sharing prepared statements.
 */
const traceSetting = (traceparent: string): SettingsStatement => ({
  text: "select set_config('pg_tracing.trace_context', $1, true)",
  values: [`traceparent='${traceparent}'`]
})

interface PipelinedPool {
  /** The value for `PgClient.fromPool`. */
  readonly pool: Pool
  /**
   * Releases the client that an interrupted fiber requested but did not take. Without this call, `@effect/sql-pg` would
   * leak the client.
   */
  readonly giveUp: (fiber: object) => void
}

interface Checkout {
  isAbandoned: boolean
  release: ((error?: unknown) => void) | undefined
}

const makePipelinedPool = (pool: Pool, options: ConnectionOptions): PipelinedPool => {
  const clients = new WeakMap<PoolClient, PipelinedClient>()
  const checkouts = new WeakMap<object, Checkout>()
  const getPipelinedClient = (client: PoolClient): PipelinedClient => {
    const existing = clients.get(client)
    if (existing !== undefined) return existing
    const pipelinedClient = new PipelinedClient(client, options)
    clients.set(client, pipelinedClient)
    return pipelinedClient
  }
  const connect = (
    callback: (error: unknown, client?: PipelinedClient, release?: (error?: unknown) => void) => void
  ) => {
    const checkout: Checkout = { isAbandoned: false, release: undefined }
    const fiber = Fiber.getCurrentFiber()
    if (fiber._tag === "Some") checkouts.set(fiber.value, checkout)
    const request = () =>
      pool.connect((error, client, returnClient) => {
        if (client === undefined) return callback(error)
        // Some pool-like objects do not pass a release function.
        const release = returnClient ?? client.release.bind(client)
        if (checkout.isAbandoned) return release()
        const pipelinedClient = getPipelinedClient(client)
        if (pipelinedClient.isOutdated()) {
          pipelinedClient.end(new Error("The connection is outdated"), release)
          return request()
        }
        pipelinedClient.release = checkout.release = once((error) => pipelinedClient.end(error, release))
        callback(undefined, pipelinedClient, checkout.release)
      })
    request()
  }
  const facade = {
    options: pool.options ?? {},
    get ending() {
      return pool.ending
    },
    connect,
    query: pool.query?.bind(pool)
  }
  return {
    // Implements the members of a pool that `PgClient.fromPool` uses.
    pool: facade as unknown as Pool,
    giveUp: (fiber) => {
      const checkout = checkouts.get(fiber)
      if (checkout === undefined) return
      checkout.isAbandoned = true
      checkout.release?.()
    }
  }
}

const once = <A>(act: (value?: A) => void): (value?: A) => void => {
  let isDone = false
  return (value) => {
    if (isDone) return
    isDone = true
    act(value)
  }
}

/** The servers of a database. All pools for the database share this object. */
export interface ServerList {
  readonly urls: ReadonlyArray<string>
  /** The index of the server for the next connection. */
  at: number
}

export const makePool = (servers: ServerList, options: PoolConfig): Pool => {
  const { urls: [first, ...otherUrls] } = servers
  return otherUrls.length === 0 ? new Pool({ ...options, connectionString: first }) : new PrimaryPool(servers, options)
}

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void
) => void

/** The `pg-pool` error that is thrown if no connection is released in time. Trying another server would not help. */
const poolTimeoutMessage = "timeout exceeded when trying to connect"

/**
 * A pool for a database with several servers. It connects to the server that accepts writes, and moves to another
 * server after a failover.
 */
class PrimaryPool extends Pool {
  readonly #servers: ServerList

  constructor(servers: ServerList, options: PoolConfig) {
    super({
      ...options,
      Client: class extends Client {
        constructor(config?: ClientConfig) {
          super({ ...config, connectionString: servers.urls[servers.at] })
        }
      },
      onConnect: assertWritable
    })
    this.#servers = servers
  }

  override connect(): Promise<PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (callback === undefined) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => client === undefined ? reject(error) : resolve(client))
      )
    }
    this.#connect(callback, this.#servers.urls.length)
  }

  #connect(callback: ConnectCallback, attempts: number): void {
    const servers = this.#servers
    const { at } = servers
    super.connect((error, client, done) => {
      if (client !== undefined || error?.message === poolTimeoutMessage) return callback(error, client, done)
      // A concurrent attempt may have already moved on to the next server.
      if (servers.at === at) servers.at = (at + 1) % servers.urls.length
      if (attempts <= 1) return callback(error, client, done)
      this.#connect(callback, attempts - 1)
    })
  }
}

const assertWritable = async (client: Pick<Client, "query">): Promise<void> => {
  const { rows: [row] } = await client.query<{ readonly transaction_read_only: string }>("show transaction_read_only")
  if (row?.transaction_read_only === "on") throw new ReadOnlyServer()
}

/** Reports that the server is a standby. It has the SQLSTATE of a rejected write. */
class ReadOnlyServer extends Error {
  readonly code = "25006"
  constructor() {
    super("no server accepts writes.")
  }
}
