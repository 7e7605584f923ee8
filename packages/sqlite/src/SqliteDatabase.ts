import { SqliteClient } from "@effect/sql-sqlite-node/SqliteClient"
import { SqlClient } from "@effect/sql/SqlClient"
import type { TransactionPool } from "@trailbook/sql/Connection"
import * as Database from "@trailbook/sql/Database"
import { HostTransactions } from "@trailbook/sql/HostTransactions"
import type { ReservedConnection } from "@trailbook/sql/reservedConnection"
import { backfillSearchWords } from "@trailbook/sql/schema/backfillSearchWords"
import * as Migrate from "@trailbook/sql/schema/migrate"
import type BetterSqlite3 from "better-sqlite3"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import { CannotOpen } from "./CannotOpen.ts"
import { dialect } from "./dialect.ts"
import { open, readSchemaVersion } from "./driver.ts"
import { assertNoDeadlock, makeHostTransactions } from "./HostTransaction.ts"
import { migrations } from "./migrations.ts"
import * as SqliteConnection from "./SqliteConnection.ts"
import { busyTimeoutMs, makeWalTruncator, type WalTruncator } from "./WalTruncator.ts"

export interface SqliteConfig {
  /**
   * The path of the file. Missing folders are created and made accessible only to this user. `:memory:` keeps the data
   * in this process, for tests.
   */
  readonly filename: string
}

/**
 * Opens a SQLite file and migrates its schema. One connection runs the units of work, one at a time. A second
 * connection serves reads outside units of work, so they never wait. Snapshots have separate connections, because reads
 * on the same connection would see a snapshot's older state.
 *
 * Statements run on the event loop and return their results synchronously, so a slow statement blocks the process.
 */
export const layer = (config: SqliteConfig): Layer.Layer<Services, CannotOpen> =>
  Layer.tap(
    openLayer(config),
    (context) => Effect.provide(Effect.zipRight(migrateDatabase(config), keepJournalsInMemory), context)
  )

/**
 * Like {@link layer}, but uses the host application's client. Units of work and the program's own transactions take
 * turns on the client. The layer applies the required settings to the client. Reads outside units of work use separate
 * connections.
 */
export const layerClient: Layer.Layer<Services, CannotOpen, SqliteClient> = Layer.unwrapEffect(
  Effect.map(SqliteClient, (client) => {
    const { filename } = client.config
    const contextLayer = databaseContext(filename, SqliteConnection.wrapClient(client))
    return Layer.tap(contextLayer, (context) => Effect.provide(migrateDatabase({ filename }), context))
  })
)

export type Services =
  | Database.Database
  | HostTransactions
  | SqliteConnection.DataVersion
  | SqliteClient
  | SqlClient

/** Migrates the schema of a file the same way {@link layer} does, and returns the names of the applied migrations. */
export const migrate = (config: SqliteConfig): Effect.Effect<ReadonlyArray<string>, CannotOpen> =>
  Effect.provide(migrateDatabase(config), openLayer(config))

/** Returns the migrations that {@link migrate} would apply. Changes nothing and does not create the file. */
export const pendingMigrations = ({ filename }: SqliteConfig): Effect.Effect<Migrate.PendingMigrations, CannotOpen> =>
  Effect.flatMap(
    existsSync(filename)
      ? Effect.scoped(Effect.flatMap(open(filename, { fileMustExist: true }), readVersion))
      : Effect.succeed(Migrate.emptySchemaVersion),
    (version) => Migrate.findPendingMigrations(migrations, version, { table: "migrations" })
  ).pipe(Effect.mapError((cause) => new CannotOpen({ filename, cause })))

const readVersion = (driver: BetterSqlite3.Database): Effect.Effect<Migrate.SchemaVersion, unknown> =>
  Effect.try({
    try: () => {
      // Open the file for writing, because a read-only connection would leave an empty log behind when it closes.
      driver.pragma("query_only = on")
      return readSchemaVersion(driver) ?? Migrate.emptySchemaVersion
    },
    catch: (error) => error
  })

/**
 * Migrates the schema. The transaction takes the write lock when it starts. If two processes open a new file
 * concurrently, the second process waits and then finds no pending migrations.
 */
const migrateDatabase = ({ filename }: SqliteConfig) =>
  Effect.mapError(
    Effect.zipLeft(Migrate.migrate(migrations), backfillSearchWords),
    (cause) => new CannotOpen({ filename, cause })
  )

/**
 * Keeps statement journals in memory. Before a statement changes a page, SQLite copies the page to the statement's
 * journal, so even storing a few bookings would spill the journal to a temporary file. Set this after the migrations,
 * because a migration can change every page of a large table. Runs outside a transaction, because SQLite refuses the
 * change within one once a migration has used temporary storage, for example to rename a column. A host application's
 * client keeps its own setting, because changing it would delete the client's temporary tables.
 */
const keepJournalsInMemory = SqliteClient.pipe(
  Effect.flatMap(SqliteConnection.wrapClient),
  Effect.flatMap(({ connection: { control } }) => control("pragma temp_store = memory")),
  Effect.orDie
)

const openLayer = ({ filename }: SqliteConfig) =>
  databaseContext(
    filename,
    Effect.zipRight(
      filename === inMemoryFilename ? Effect.void : Effect.asVoid(makeFolder(filename)),
      SqliteConnection.openConnection(filename)
    )
  )

const inMemoryFilename = ":memory:"

const databaseContext = (
  filename: string,
  openWriter: Effect.Effect<SqliteConnection.ClientConnection, unknown, Scope.Scope>
) =>
  Layer.scopedContext(
    Effect.gen(function*() {
      const writer = yield* openWriter
      const turn = makeTurn(writer)
      yield* Effect.scoped(Effect.zipRight(turn, applySettings(writer.connection)))
      const { commits, ...driver } = filename === inMemoryFilename
        ? makeInMemoryDriver(writer.connection, turn)
        : yield* makeFileDriver(writer.connection, turn, filename)
      const database = Database.make({ ...driver, assertCanWait: assertNoDeadlock(writer.connection) })
      return Context.make(Database.Database, database).pipe(
        Context.add(SqliteConnection.DataVersion, commits),
        Context.add(HostTransactions, makeHostTransactions(writer.connection, driver.units)),
        Context.add(SqliteClient, writer.client),
        Context.add(SqlClient, writer.client)
      )
    }).pipe(Effect.mapError((cause) => new CannotOpen({ filename, cause })))
  )

const makeFolder = (filename: string) =>
  Effect.tryPromise({
    try: () => mkdir(dirname(filename), { recursive: true, mode: 0o700 }),
    catch: (error) => error
  })

/**
 * The settings of a connection. Only the page size is stored in the file. `synchronous` must be set each time, because
 * reopening a WAL file resets it to a lower level.
 */
const settings = [
  // The page size applies only to a new file. A booking writes one page per index and usually changes nothing else on
  // that page, so small pages reduce the write volume.
  "page_size = 2048",
  `busy_timeout = ${busyTimeoutMs}`,
  "journal_mode = wal",
  "synchronous = full",
  "foreign_keys = on",
  "secure_delete = on",
  // A batch of bookings touches pages in every index. With the default 2 MB cache, pages are read again for each batch,
  // and the log is checkpointed after every second batch. With fewer checkpoints, each page is written less often, but
  // each checkpoint blocks longer: about 40 ms with these 8 MB, and 140 ms with 32 MB.
  "cache_size = -32000",
  "wal_autocheckpoint = 4000"
]

/**
 * Statements that verify that the file is writable. SQLite opens a read-only file and starts transactions without an
 * error, so nothing fails until the first write.
 */
const writeProbe = ["begin immediate", "pragma user_version = 0", "rollback"]

const applySettings = ({ control, foreign }: ReservedConnection) =>
  Effect.forEach(settings, (text) => foreign(`pragma ${text}`, []), { discard: true }).pipe(
    Effect.zipRight(Effect.forEach(writeProbe, control, { discard: true })),
    // SQLite does not wait while another process enables WAL. It immediately reports that the file is busy.
    Effect.retry({
      while: dialect.isUnavailable,
      schedule: Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(busyTimeoutMs / 50))
    })
  )

/**
 * Opens the read connections. The writer must already be open, so that it closes last. The last connection to close
 * checkpoints the log, which a read-only connection cannot do.
 */
const makeFileDriver = (writer: ReservedConnection, turn: Turn, filename: string) =>
  Effect.gen(function*() {
    const reader = yield* SqliteConnection.openReadConnection(filename)
    const { count, countCommits } = SqliteConnection.makeDataVersionCounter(reader)
    const units = makeLane(countCommits(writer), turn)
    const truncation = yield* makeWalTruncator(writer, units.acquire)
    return {
      dialect,
      // The reader's statements run synchronously, so no read is in progress while another fiber runs.
      reader,
      commits: count,
      units: { ...units, truncateLog: () => truncation.truncate, truncateLater: truncation.later },
      snapshots: yield* makeSnapshotLane(filename, truncation)
    }
  })

/**
 * The maximum number of open snapshots. Several snapshots can be open, because they serve long reads and must not wait
 * for each other.
 */
const maxSnapshots = 4

/** Creates the snapshot lane. Each connection is opened on first use. */
const makeSnapshotLane = (filename: string, { countSnapshotStart: begun, countSnapshotEnd: ended }: WalTruncator) =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const permits = yield* Effect.makeSemaphore(maxSnapshots)
    const freeConnections: Array<ReservedConnection> = []
    const takeConnection = Effect.suspend(() => {
      const connection = freeConnections.pop()
      return connection === undefined
        ? Effect.map(
          Scope.extend(SqliteConnection.openConnection(filename, { readonly: true }), scope),
          ({ connection }) => connection
        )
        : Effect.succeed(connection)
    })
    const acquire = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        yield* restore(permits.take(1))
        yield* Effect.addFinalizer(() => permits.release(1))
        const connection = yield* takeConnection
        yield* begun
        yield* Effect.addFinalizer(() => Effect.zipRight(Effect.sync(() => freeConnections.push(connection)), ended))
        return connection
      })
    )
    return { acquire, begin: ({ control }: ReservedConnection) => control("begin"), truncateLog: () => Effect.void }
  })

/** Creates the driver for an in-memory database. It has a single connection, so reads wait for units of work. */
const makeInMemoryDriver = (connection: ReservedConnection, turn: Turn) => {
  const units = { ...makeLane(connection, turn), truncateLater: Effect.void }
  return {
    dialect,
    // The data version is not needed, because no other process can commit.
    commits: Effect.succeed(undefined),
    reader: {
      run: <Row>(...statement: Parameters<ReservedConnection["run"]>) =>
        Effect.scoped(Effect.flatMap(units.acquire, ({ run }) => run<Row>(...statement)))
    },
    units,
    snapshots: {
      ...units,
      acquire: Effect.tap(
        units.acquire,
        ({ control }) =>
          Effect.acquireRelease(
            control("pragma query_only = on"),
            () => Effect.orDie(control("pragma query_only = off"))
          )
      ),
      begin: ({ control }: ReservedConnection) => control("begin")
    }
  }
}

type Turn = Effect.Effect<unknown, unknown, Scope.Scope>

/**
 * Grants the writer to transactions in FIFO order. Between transactions, it grants the writer to statements from the
 * program's own `sql` client.
 */
const makeTurn = ({ client, connection }: SqliteConnection.ClientConnection): Turn => {
  const mutex = makeFifoMutex()
  const reservation = Effect.zipRight(mutex, client.reserve)
  return Effect.zipRight(assertNoDeadlock(connection), reservation)
}

/**
 * The lane for units of work. `begin immediate` waits for other processes when the transaction starts. Otherwise, a
 * transaction that reads first could fail when it writes.
 */
const makeLane = (connection: ReservedConnection, turn: Turn): TransactionPool<ReservedConnection> => ({
  acquire: Effect.as(turn, connection),
  begin: ({ control }) => control("begin immediate"),
  truncateLog: () => Effect.void
})

/** A FIFO mutex. Effect's semaphore is not fair: the last holder can reacquire it before the waiting fibers wake up. */
type FifoMutex = Effect.Effect<void, never, Scope.Scope>

const makeFifoMutex = (): FifoMutex => {
  let isTaken = false
  const waiters: Array<() => void> = []

  const release = Effect.sync(() => {
    const next = waiters.shift()
    if (next === undefined) isTaken = false
    else next()
  })

  const waitForTurn = Effect.async<void>((resume) => {
    let isAcquired = false
    const grant = () => {
      isAcquired = true
      resume(Effect.void)
    }
    waiters.push(grant)
    return Effect.suspend(() => {
      // The waiting fiber received the mutex just before it was interrupted.
      if (isAcquired) return release
      waiters.splice(waiters.indexOf(grant), 1)
      return Effect.void
    })
  })

  return Effect.uninterruptibleMask((restore) =>
    Effect.suspend(() => {
      const releaseAtEnd = Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, release))
      if (isTaken) return Effect.zipRight(restore(waitForTurn), releaseAtEnd)
      isTaken = true
      return releaseAtEnd
    })
  )
}
