import { SqliteClient } from "@effect/sql-sqlite-node/SqliteClient"
import { SqlClient } from "@effect/sql/SqlClient"
import { MayWait } from "@trailbook/core/port/MayWait"
import { QueryConcurrency, sequential } from "@trailbook/core/port/QueryConcurrency"
import { backfillSearchWords } from "@trailbook/sql/backfillSearchWords"
import type { Lane } from "@trailbook/sql/Connection"
import * as Database from "@trailbook/sql/Database"
import { HostTransactions } from "@trailbook/sql/HostTransactions"
import * as Migrate from "@trailbook/sql/migrate"
import type { ReservedConnection } from "@trailbook/sql/reservedConnection"
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
import * as CommitCount from "./dataVersion.ts"
import { dialect } from "./dialect.ts"
import { lastMigration, open } from "./driver.ts"
import * as InLine from "./FifoMutex.ts"
import { makeJoin, mayWait } from "./HostTransaction.ts"
import { migrations } from "./migrations.ts"
import * as SqliteConnection from "./SqliteConnection.ts"
import { busyTimeoutMs, makeWalTruncation, type WalTruncation } from "./walTruncation.ts"

export interface SqliteConfig {
  /** Its folders are made when they are missing, for this user alone. `:memory:` keeps everything in this process, for tests. */
  readonly filename: string
}

/**
 * A SQLite file with an up to date schema. One connection writes, one unit of
 * work at a time; a second serves reads outside units of work, so they wait for
 * nobody; others have snapshots, which would show those reads an older state.
 *
 * Statements run on the event loop: they are answered at once, and a long one
 * keeps everybody waiting.
 */
export const layer = (config: SqliteConfig): Layer.Layer<Services, CannotOpen> =>
  Layer.tap(opened(config), (context) => Effect.provide(migrated(config), context))

/**
 * The same over a client that the program has made: on it units of work take turns
 * with the program's own transactions. The file's settings are put in force on it;
 * reads outside units of work have connections of their own.
 */
export const layerClient: Layer.Layer<Services, CannotOpen, SqliteClient> = Layer.unwrapEffect(
  Effect.map(SqliteClient, (client) => {
    const { filename } = client.config
    const on = scoped(filename, SqliteConnection.useClient(client))
    return Layer.tap(on, (context) => Effect.provide(migrated({ filename }), context))
  })
)

export type Services =
  | Database.Database
  | HostTransactions
  | QueryConcurrency
  | MayWait
  | CommitCount.DataVersion
  | SqliteClient
  | SqlClient

/**
 * Brings the schema of a file up to date, as {@link layer} does too, and says by
 * name which changes that took.
 */
export const migrate = (config: SqliteConfig): Effect.Effect<ReadonlyArray<string>, CannotOpen> =>
  Effect.provide(migrated(config), opened(config))

/** What {@link migrate} would do. It changes nothing, and makes no file. */
export const pending = ({ filename }: SqliteConfig): Effect.Effect<Migrate.Pending, CannotOpen> =>
  Effect.flatMap(
    existsSync(filename)
      ? Effect.scoped(Effect.flatMap(open(filename, { fileMustExist: true }), lastOf))
      : Effect.succeed(0),
    (last) => Migrate.pending(migrations, last, { table: "migrations" })
  ).pipe(Effect.mapError((cause) => new CannotOpen({ filename, cause })))

const lastOf = (driver: BetterSqlite3.Database): Effect.Effect<number, unknown> =>
  Effect.try({
    try: () => {
      // Opened for writing, for one that may only read would leave an empty log behind when it closes.
      driver.pragma("query_only = on")
      return lastMigration(driver) ?? 0
    },
    catch: (error) => error
  })

/** It begins with the write lock: of two processes that open a new file at once, the second waits and finds nothing to do. */
const migrated = ({ filename }: SqliteConfig) =>
  Effect.mapError(
    Effect.zipLeft(Migrate.migrate(migrations), backfillSearchWords),
    (cause) => new CannotOpen({ filename, cause })
  )

const opened = ({ filename }: SqliteConfig) =>
  scoped(
    filename,
    Effect.zipRight(
      filename === inMemory ? Effect.void : Effect.asVoid(folderOf(filename)),
      SqliteConnection.open(filename)
    )
  )

const inMemory = ":memory:"

const scoped = (filename: string, opening: Effect.Effect<SqliteConnection.OpenConnection, unknown, Scope.Scope>) =>
  Layer.scopedContext(
    Effect.gen(function*() {
      const writer = yield* opening
      const alone = turns(writer)
      yield* Effect.scoped(Effect.zipRight(alone, inForce(writer.connection)))
      const { commits, ...driver } = filename === inMemory
        ? onOne(writer.connection, alone)
        : yield* withReaders(writer.connection, alone, filename)
      return Context.make(Database.Database, Database.make(driver)).pipe(
        Context.add(CommitCount.DataVersion, commits),
        Context.add(HostTransactions, makeJoin(writer.connection, driver.units)),
        Context.add(QueryConcurrency, sequential),
        Context.add(MayWait, mayWait(writer.connection)),
        Context.add(SqliteClient, writer.client),
        Context.add(SqlClient, writer.client)
      )
    }).pipe(Effect.mapError((cause) => new CannotOpen({ filename, cause })))
  )

const folderOf = (filename: string) =>
  Effect.tryPromise({
    try: () => mkdir(dirname(filename), { recursive: true, mode: 0o700 }),
    catch: (error) => error
  })

/**
 * Settings of a connection, except for the first: `synchronous` above all goes back to
 * less than full whenever a file with a write-ahead log is opened again.
 */
const settings = [
  // Of a new file. A booking writes a page of each index, most of them alone on it: small pages are less to write.
  "page_size = 2048",
  `busy_timeout = ${busyTimeoutMs}`,
  "journal_mode = wal",
  "synchronous = full",
  "foreign_keys = on",
  "secure_delete = on",
  // A batch of bookings touches pages of every index: with the default 2 MB they are read again for each, and the log is
  // moved into the file after every other batch. The longer it waits, the more often a page was written for once, and the
  // longer everybody waits while it is moved: with these 8 MB some 40 ms, with 32 MB 140.
  "cache_size = -32000",
  "wal_autocheckpoint = 4000"
]

/**
 * SQLite opens a file that it may not write to all the same, and begins units of
 * work on it, until something is to be written. So something is, and undone.
 */
const written = ["begin immediate", "pragma user_version = 0", "rollback"]

const inForce = ({ control, foreign }: ReservedConnection) =>
  Effect.forEach(settings, (text) => foreign(`pragma ${text}`, []), { discard: true }).pipe(
    Effect.zipRight(Effect.forEach(written, control, { discard: true })),
    // SQLite does not wait for a process that turns the log on at this moment, it says at once that the file is busy.
    Effect.retry({
      while: dialect.isUnavailable,
      schedule: Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(busyTimeoutMs / 50))
    })
  )

/**
 * The writer is opened first and so closed last: whoever closes last moves the
 * log into the file, and a connection that only reads cannot.
 */
const withReaders = (writer: ReservedConnection, alone: Turns, filename: string) =>
  Effect.gen(function*() {
    const { connection: reader } = yield* SqliteConnection.open(filename, { readonly: true })
    const { count, counted } = CommitCount.make(reader)
    const units = lane(counted(writer), alone)
    const wiping = yield* makeWalTruncation(writer, units.acquire)
    return {
      dialect,
      // No statement of it is under way when another fiber runs.
      reader,
      commits: count,
      units: { ...units, wipe: () => wiping.wipe, wipeLater: wiping.later },
      snapshots: yield* snapshotsOf(filename, wiping)
    }
  })

/** So many snapshots may be open at a time. They are for what takes long, so one is not made to wait for another. */
const maxSnapshots = 4

/** Each is opened when it is first needed. */
const snapshotsOf = (filename: string, { begun, ended }: WalTruncation) =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const turn = yield* Effect.makeSemaphore(maxSnapshots)
    const free: Array<ReservedConnection> = []
    const taken = Effect.suspend(() => {
      const connection = free.pop()
      return connection === undefined
        ? Effect.map(
          Scope.extend(SqliteConnection.open(filename, { readonly: true }), scope),
          ({ connection }) => connection
        )
        : Effect.succeed(connection)
    })
    const acquire = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        yield* restore(turn.take(1))
        yield* Effect.addFinalizer(() => turn.release(1))
        const connection = yield* taken
        yield* begun
        yield* Effect.addFinalizer(() => Effect.zipRight(Effect.sync(() => free.push(connection)), ended))
        return connection
      })
    )
    return { acquire, begin: ({ control }: ReservedConnection) => control("begin"), wipe: () => Effect.void }
  })

/** In memory there is one connection for all, and reads wait for units of work. */
const onOne = (connection: ReservedConnection, alone: Turns) => {
  const units = { ...lane(connection, alone), wipeLater: Effect.void }
  return {
    dialect,
    // There are no others.
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

type Turns = Effect.Effect<unknown, unknown, Scope.Scope>

/**
 * The writer, for its transactions in the order in which they came; and between two
 * of them for what the program says by its own `sql`.
 */
const turns = ({ client, connection }: SqliteConnection.OpenConnection): Turns => {
  const line = InLine.make()
  const held = Effect.zipRight(line, client.reserve)
  return Effect.zipRight(mayWait(connection), held)
}

/** Its locks wait for other processes from the start; a transaction that reads first would fail when it writes. */
const lane = (connection: ReservedConnection, alone: Turns): Lane<ReservedConnection> => ({
  acquire: Effect.as(alone, connection),
  begin: ({ control }) => control("begin immediate"),
  wipe: () => Effect.void
})
