import { PgClient } from "@effect/sql-pg/PgClient"
import { SqlClient } from "@effect/sql/SqlClient"
import * as Database from "@trailbook/sql/Database"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import type { SqlValue } from "@trailbook/sql/Dialect"
import { HostTransactions } from "@trailbook/sql/HostTransactions"
import type { ReservedConnection } from "@trailbook/sql/reservedConnection"
import { backfillSearchWords } from "@trailbook/sql/schema/backfillSearchWords"
import * as Migrate from "@trailbook/sql/schema/migrate"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Pool } from "pg"
import { analyzeAfterGrowth } from "./autoAnalyze.ts"
import { CannotConnect } from "./CannotConnect.ts"
import { ConnectionLost } from "./classifyError.ts"
import { makeLookup } from "./client/lookup.ts"
import type { ConnectionOptions } from "./client/PipelinedClient.ts"
import {
  acquireConnection,
  makePool,
  makePooledClient,
  makePoolFromClient,
  makeTransactionPool,
  type PooledClient,
  type ServerList
} from "./client/pool.ts"
import { checkPreparedStatements } from "./client/preparedStatements.ts"
import { getSchemaName, makeDialect, type PostgresOptions, usesRowSecurity } from "./dialect.ts"
import { makeHostTransactions } from "./HostTransaction.ts"
import * as Inspect from "./inspectServer.ts"
import type { Inspection } from "./inspectServer.ts"
import { makeMigrations } from "./migrations.ts"
import * as PostgresClock from "./PostgresClock.ts"
import { withReplica } from "./replica.ts"
import { formatHosts, splitHostUrls } from "./splitHostUrls.ts"
import {
  makeMigrationSettings,
  makeTransactionSettings,
  type SettingsStatement,
  statementTimeoutMs
} from "./transactionSettings.ts"

export interface PostgresUrl extends PostgresOptions {
  /**
   * `postgres://user:password@host:5432/database`, with libpq parameters. The URL can list several hosts:
   * `a:5432,b:5432`. All connections then go to the server that accepts writes.
   */
  readonly url: string
  /**
   * The maximum number of concurrent units of work. Default: 8. By default, two of them run booking batches and six run
   * all other work.
   */
  readonly units?: number
  /**
   * The maximum number of concurrent reads. Default: 6. Reads have their own connections, so reads and units of work do
   * not block each other.
   */
  readonly readers?: number
  /**
   * The URL of one streaming standby, which serves lists, searches, reports, and availability. A read sees every write
   * that was acknowledged before it started. If the standby is behind or unavailable, the primary serves the read.
   */
  readonly replica?: Pick<PostgresUrl, "url" | "prepare"> | undefined
  /** The application name shown in `pg_stat_activity`. */
  readonly applicationName?: string
}

/**
 * A pool that the host application creates with `pg` 8.23 or later. Trailbook takes all of its connections from the
 * pool and never ends the pool. Make the pool large enough for both units of work and reads, and set
 * `connectionTimeoutMillis`. Without this timeout, requests wait for a connection indefinitely.
 */
export interface PostgresPool extends PostgresOptions {
  readonly pool: Pool
}

/**
 * An `@effect/sql-pg` client that the host application creates. Trailbook uses the client's pool like a {@link
 * PostgresPool}.
 */
export interface PostgresClient extends PostgresOptions {
  readonly client: PgClient
}

export type Services = Database.Database | HostTransactions | PgClient | SqlClient

export type PostgresConfig = PostgresUrl | PostgresPool | PostgresClient

/**
 * Connects to a schema of a Postgres database and migrates it.
 *
 * Units of work run under READ COMMITTED. They take locks before they read, which isolates them from each other.
 * Snapshots run under REPEATABLE READ.
 *
 * All services that are built with this layer use the database's clock, unless a clock is already set.
 */
export const layer = (config: PostgresConfig): Layer.Layer<Services, CannotConnect> =>
  Layer.scopedContext(
    Effect.gen(function*() {
      const pools = yield* openPools(config)
      const { bypassesRowSecurity } = yield* ensureMigrated(pools, config)
      // Skip the check for a host's pool, because it may have only one connection and its pooler is the host's
      // responsibility.
      if ("url" in config && toConnectionOptions(config).prepare) {
        yield* checkPreparedStatements(
          acquireConnection(pools.units, checkOptions),
          acquireConnection(pools.readers, checkOptions)
        )
      }
      if (pools.replica !== undefined && replicaOptions(config).prepare) {
        yield* checkPreparedStatements(
          acquireConnection(pools.replica, checkOptions),
          acquireConnection(pools.replica, checkOptions)
        )
      }
      if (bypassesRowSecurity && usesRowSecurity(config)) {
        yield* Effect.logWarning(rowSecurityWarning)
      }
      const options = { ...toConnectionOptions(config), failovers: { count: 0 } }
      const readers = yield* makePooledClient(pools.readers, options)
      const commits = { areStuck: false }
      const units = yield* makePooledClient(pools.units, { ...options, commits })
      const clock = yield* Effect.scoped(
        Effect.flatMap(readers.acquire, (connection) => PostgresClock.make(connection, PostgresClock.systemClock))
      )
      yield* PostgresClock.installClock(clock)
      const database = yield* makeDatabase(
        refuseWhileStuck(commits, units.acquire, readers.acquire),
        readers,
        acquireConnection(pools.units, backgroundOptions),
        config,
        clock,
        // A host's pool may not provide counts.
        "url" in config ? { units: pools.units, readers: pools.readers } : {},
        pools.replica === undefined
          ? undefined
          : { pool: pools.replica, client: yield* makePooledClient(pools.replica, replicaOptions(config)) }
      )
      // Run the backfill even if no migration was pending. The process that applied the migration may have been
      // interrupted before the backfill finished.
      yield* Effect.provideService(backfillSearchWords, Database.Database, database)
      const client = "client" in config ? config.client : units.client
      return Context.make(Database.Database, database).pipe(
        Context.add(HostTransactions, makeHostTransactions(config)),
        Context.add(PgClient, client),
        Context.add(SqlClient, client)
      )
    }).pipe(Effect.mapError(toCannotConnect(config)))
  )

/**
 * Migrates the schema, as {@link layer} does, and returns the names of the applied migrations. If several processes
 * migrate concurrently, one applies the migrations and the others wait.
 */
export const migrate = (config: PostgresConfig): Effect.Effect<ReadonlyArray<string>, CannotConnect> =>
  withPools(config, migrateOn)

/** Returns the migrations that {@link migrate} would apply. Changes nothing. */
export const pendingMigrations = (config: PostgresConfig): Effect.Effect<Migrate.PendingMigrations, CannotConnect> =>
  Effect.flatMap(inspect(config), ({ migrated }) => {
    const schema = getSchemaName(config)
    return Effect.mapError(
      Migrate.findPendingMigrations(makeMigrations(schema), migrated, {
        table: makeDialect(schema).table("migrations"),
        before: [inlineValues(makeMigrationSettings(schema)), ...prepareStatements(schema)]
      }),
      toCannotConnect(config)
    )
  })

/** Inspects the database and our role's permissions. Call it before startup. */
export const inspect = (config: PostgresConfig): Effect.Effect<Inspection, CannotConnect> =>
  withPools(config, inspectOn)

const withPools = <A>(
  config: PostgresConfig,
  use: (pools: Pools, config: PostgresConfig) => Effect.Effect<A, unknown, Scope.Scope>
): Effect.Effect<A, CannotConnect> =>
  Effect.scoped(Effect.flatMap(openPools(config), (pools) => use(pools, config))).pipe(
    Effect.mapError(toCannotConnect(config))
  )

export const toCannotConnect = (config: PostgresConfig) => (cause: unknown): CannotConnect =>
  new CannotConnect({ database: describeDatabase(config), cause })

const rowSecurityWarning =
  "The database role is a superuser or bypasses row-level security, so the database does not enforce org " +
  "isolation. Use a separate role for Trailbook"

interface Pools {
  readonly units: Pool
  readonly readers: Pool
  readonly replica?: Pool | undefined
}

/** The limit is short, so that a request that gets no connection fails before its caller times out. */
const connectTimeoutMs = 5000
/** The extra second gives the database time to report a statement timeout first. */
const answerWithinMs = statementTimeoutMs + 1000

const toConnectionOptions = ({ prepare = true }: PostgresOptions): ConnectionOptions => ({ prepare, answerWithinMs })

const replicaOptions = (config: PostgresConfig): ConnectionOptions =>
  toConnectionOptions("url" in config && config.replica !== undefined ? config.replica : config)

const openPools = (config: PostgresConfig): Effect.Effect<Pools, unknown, Scope.Scope> =>
  Effect.zipRight(Effect.try({ try: () => getSchemaName(config), catch: (error) => error }), makePools(config))

const makePools = (config: PostgresConfig): Effect.Effect<Pools, unknown, Scope.Scope> => {
  if (!("url" in config)) {
    const pool = "pool" in config ? config.pool : makePoolFromClient(config.client)
    return Effect.succeed({ units: pool, readers: pool })
  }
  const { applicationName = "trailbook", readers = 6, replica, units = 8, url } = config
  const servers = { urls: splitHostUrls(url), at: 0 }
  const openPool = (max: number, to: ServerList = servers) =>
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          const pool = makePool(to, {
            application_name: applicationName,
            connectionTimeoutMillis: connectTimeoutMs,
            idleTimeoutMillis: 60_000,
            keepAlive: true,
            allowExitOnIdle: true,
            max
          })
          // The pool removes lost idle connections and emits an error for each of them. Without a listener, the error
          // would crash the process.
          return pool.on("error", () => {})
        },
        catch: (error) => error
      }),
      (pool) => Effect.promise(() => pool.end())
    )
  return Effect.all({
    units: openPool(units),
    readers: openPool(readers),
    replica: replica === undefined ? Effect.succeed(undefined) : openPool(readers, { urls: [replica.url], at: 0 })
  })
}

type Acquire = Effect.Effect<ReservedConnection, unknown, Scope.Scope>

/**
 * Rejects transactions while a commit waits for a lost synchronous standby. Otherwise, each new transaction would wait
 * for the stuck commit's locks, or would get stuck in its own commit and block another backend. The backend of a stuck
 * commit keeps waiting even after its connection is closed. As long as `pg_stat_activity` lists such a backend, commits
 * are not confirmed. A healthy commit waits only a few milliseconds.
 */
const refuseWhileStuck = (commits: { areStuck: boolean }, unit: Acquire, reader: Acquire): Acquire => {
  const check = Effect.gen(function*() {
    const { run } = yield* reader
    const stuckBackends = yield* run(
      `select from pg_stat_activity
        where usename = current_user and wait_event = 'SyncRep' and query_start < clock_timestamp() - interval '2 seconds'`,
      []
    )
    if (stuckBackends.length > 0) {
      return yield* Effect.fail(new ConnectionLost("Commits wait for a synchronous standby."))
    }
    commits.areStuck = false
  })
  return Effect.suspend(() => commits.areStuck ? Effect.zipRight(Effect.scoped(check), unit) : unit)
}

const makeDatabase = (
  unit: Acquire,
  readers: PooledClient,
  acquireBackground: Acquire,
  config: PostgresConfig,
  clock: PostgresClock.PostgresClock,
  pools: Readonly<Record<string, Database.PoolCounts>>,
  replica: { readonly pool: Pool; readonly client: PooledClient } | undefined
) => {
  const schema = getSchemaName(config)
  const settings = makeTransactionSettings(schema)
  const settingsFor = (tenants: ReadonlyArray<string> | undefined) =>
    settings(usesRowSecurity(config) ? tenants : undefined)
  // The settings and the read are sent together as one transaction.
  const makeReader = ({ acquire, pool }: PooledClient) => {
    const run = <Row>(text: string, values: ReadonlyArray<SqlValue>, tenants: ReadonlyArray<string> | undefined) =>
      Effect.scoped(Effect.flatMap(acquire, ({ open, run }) => {
        const settings = settingsFor(tenants)
        return Effect.zipRight(open(settings.text, settings.values), run<Row>(text, values))
      }))
    return { acquire, run, lookup: makeLookup(pool, settingsFor, run) }
  }
  const primary = makeReader(readers)
  const reader = replica === undefined ? primary : withReplica(primary, makeReader(replica.client), replica.pool)
  return Effect.map(analyzeAfterGrowth(acquireBackground, schema, clock.tick), (countUnit) =>
    Database.make({
      dialect: makeDialect(schema),
      pools,
      reader,
      units: makeTransactionPool(
        Effect.zipLeft(unit, countUnit),
        (tenants) => [toStatement("begin"), settingsFor(tenants)]
      ),
      snapshots: makeTransactionPool(
        reader.acquire,
        (tenants) => [toStatement("begin isolation level repeatable read read only"), settingsFor(tenants)]
      )
    }))
}

/** Options for background work. The limit keeps an unresponsive database from blocking shutdown. */
const backgroundOptions: ConnectionOptions = { prepare: false, answerWithinMs: 20_000 }

/** Options for migrations. A migration runs once and takes as long as it takes, so no limit applies. */
const migrationOptions: ConnectionOptions = { prepare: false, answerWithinMs: 0 }

/**
 * Options for a check that needs two connections. A pooler with a single free session never serves the second
 * connection, so a time limit ends the check.
 */
const checkOptions: ConnectionOptions = { prepare: true, answerWithinMs: 2000 }

const inspectOn = ({ units }: Pools, config: PostgresConfig) =>
  Inspect.inspectServer(acquireConnection(units, migrationOptions), getSchemaName(config))

/** Applies pending migrations. Usually no migration is pending, so this check takes no lock. */
const ensureMigrated = (pools: Pools, config: PostgresConfig) =>
  Effect.gen(function*() {
    const inspection = yield* inspectOn(pools, config)
    const reason = Inspect.findUnsupportedReason(inspection)
    if (reason !== undefined) return yield* Effect.fail(reason)
    const version = Migrate.getLatestVersion(makeMigrations(getSchemaName(config)))
    if (inspection.migrated.last < version || inspection.migrated.oldestServer > version) {
      yield* migrateOn(pools, config)
    }
    return inspection
  })

const migrateOn = ({ units }: Pools, config: PostgresConfig) => {
  const schema = getSchemaName(config)
  const migrationLane = makeTransactionPool(acquireConnection(units, migrationOptions), () => beginMigration(schema))
  const database = Database.make({
    dialect: makeDialect(schema),
    reader: { run: () => Effect.dieMessage("Invariant violated: migration read outside its transaction") },
    units: migrationLane,
    snapshots: migrationLane
  })
  const migration = Effect.zipLeft(Migrate.migrate(makeMigrations(schema)), backfillSearchWords)
  return Effect.provideService(migration, Database.Database, database).pipe(
    // An error from Postgres at this point means that the configuration is wrong.
    Effect.catchAllDefect((defect) => Effect.fail(defect instanceof DatabaseUnavailable ? defect.cause : defect))
  )
}

/** Starts a migration and takes the migration lock. */
const beginMigration = (schema: string): ReadonlyArray<SettingsStatement> => [
  toStatement("begin"),
  makeMigrationSettings(schema),
  ...prepareStatements(schema).map(toStatement)
]

const prepareStatements = (schema: string): ReadonlyArray<string> => [
  `select pg_advisory_xact_lock(hashtextextended('trailbook.migrate.${schema}', 0))`,
  // Check first, so that a role without the permission to create schemas can use an existing schema.
  `do $$ begin
    if not exists (select from pg_namespace where nspname = '${schema}') then create schema "${schema}"; end if;
  end $$`
]

/**
 * Inlines the values into the statement, for a driver that sends plain text. This is safe because the values are our
 * own names and numbers.
 */
const inlineValues = ({ text, values }: SettingsStatement): string =>
  text.replace(/\$(\d+)/g, (_, number) => `'${String(values[Number(number) - 1])}'`)

const toStatement = (text: string): SettingsStatement => ({ text, values: [] })

const describeDatabase = (config: PostgresConfig): string => {
  if ("pool" in config) return "of the given pool"
  if ("client" in config) return "of the given client"
  try {
    return formatHosts(config.url)
  } catch {
    return "with an invalid URL"
  }
}
