/**
 * @since 0.1.0
 */
import type { Lane } from "@trailbook/sql/Connection"
import * as Database from "@trailbook/sql/Database"
import * as Migrate from "@trailbook/sql/migrate"
import { readWords } from "@trailbook/sql/readWords"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import { CannotOpen } from "./CannotOpen.ts"
import * as CommitCount from "./CommitCount.ts"
import { dialect } from "./dialect.ts"
import * as InLine from "./InLine.ts"
import { migrations } from "./migrations.ts"
import { open, type SqliteConnection } from "./SqliteConnection.ts"
import { busyTimeoutMs, type Wiper, wiper } from "./wipe.ts"

/**
 * @since 0.1.0
 * @category models
 */
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
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (config: SqliteConfig): Layer.Layer<Database.Database | CommitCount.CommitCount, CannotOpen> =>
  Layer.tap(opened(config), (context) => Effect.provide(migrated(config), context))

/**
 * Brings the schema of a file up to date, as {@link layer} does too, and says by
 * name which changes that took.
 *
 * @since 0.1.0
 * @category effects
 */
export const migrate = (config: SqliteConfig): Effect.Effect<ReadonlyArray<string>, CannotOpen> =>
  Effect.provide(migrated(config), opened(config))

/**
 * What {@link migrate} would do. It changes nothing, and makes no file.
 *
 * @since 0.1.0
 * @category effects
 */
export const pending = ({ filename }: SqliteConfig): Effect.Effect<Migrate.Pending, CannotOpen> =>
  Effect.flatMap(
    existsSync(filename)
      ? Effect.scoped(Effect.flatMap(open(filename, { fileMustExist: true }), lastOf))
      : Effect.succeed(0),
    (last) => Migrate.pending(migrations, last, { table: "migrations" })
  ).pipe(Effect.mapError((cause) => new CannotOpen({ filename, cause })))

const lastOf = ({ driver }: SqliteConnection): Effect.Effect<number, unknown> =>
  Effect.try({
    try: () => {
      // Opened for writing, for one that may only read would leave an empty log behind when it closes.
      driver.pragma("query_only = on")
      const made = driver.prepare("select 1 from sqlite_master where name = 'migrations'").get() !== undefined
      return made ? Number(driver.prepare("select coalesce(max(number), 0) from migrations").pluck().get()) : 0
    },
    catch: (error) => error
  })

/** It begins with the write lock: of two processes that open a new file at once, the second waits and finds nothing to do. */
const migrated = ({ filename }: SqliteConfig) =>
  Effect.mapError(
    Effect.zipLeft(Migrate.migrate(migrations), readWords),
    (cause) => new CannotOpen({ filename, cause })
  )

const opened = ({ filename }: SqliteConfig) =>
  Layer.scopedContext(
    Effect.gen(function*() {
      const inMemory = filename === ":memory:"
      if (!inMemory) yield* folderOf(filename)
      const writer = yield* open(filename)
      yield* inForce(writer)
      const driver = inMemory ? onOne(writer) : yield* withReaders(writer, filename)
      return Context.make(Database.Database, Database.make(driver)).pipe(
        Context.add(CommitCount.CommitCount, driver.commits)
      )
    }).pipe(Effect.mapError((cause) => new CannotOpen({ filename, cause })))
  )

const folderOf = (filename: string) =>
  Effect.tryPromise({
    try: () => mkdir(dirname(filename), { recursive: true, mode: 0o700 }),
    catch: (error) => error
  })

/**
 * Settings of a connection, but for the first: `synchronous` above all goes back to
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
  // moved into the file after every other batch. The longer it waits, the more often a page was written for once.
  "cache_size = -32000",
  "wal_autocheckpoint = 16000"
]

/**
 * SQLite opens a file that it may not write to all the same, and begins units of
 * work on it, until something is to be written. So something is, and undone.
 */
const written = "begin immediate; pragma user_version = 0; rollback"

const inForce = ({ driver }: SqliteConnection) =>
  Effect.try({
    try: () => {
      for (const text of settings) driver.pragma(text)
      driver.exec(written)
    },
    catch: (error) => error
  }).pipe(
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
const withReaders = (writer: SqliteConnection, filename: string) =>
  Effect.gen(function*() {
    const reader = yield* open(filename, { readonly: true })
    const { count, counted } = CommitCount.make(reader)
    // Its locks wait for other processes from the start; a transaction that reads first would fail when it writes.
    const units = lane(counted(writer), "begin immediate")
    const wiping = yield* wiper(writer, units.acquire)
    return {
      dialect,
      // No statement of it is under way when another fiber runs.
      reader,
      commits: count,
      units: { ...units, wipe: () => wiping.wipe },
      snapshots: yield* snapshotsOf(filename, wiping)
    }
  })

/** So many snapshots may be open at a time. They are for what takes long, so one is not made to wait for another. */
const maxSnapshots = 4

/** Each is opened when it is first needed. */
const snapshotsOf = (filename: string, { begun, ended }: Wiper) =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const turn = yield* Effect.makeSemaphore(maxSnapshots)
    const free: Array<SqliteConnection> = []
    const taken = Effect.suspend(() => {
      const connection = free.pop()
      return connection === undefined
        ? Scope.extend(open(filename, { readonly: true }), scope)
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
    return { acquire, begin: ({ control }: SqliteConnection) => control("begin"), wipe: () => Effect.void }
  })

/** In memory there is one connection for all, and reads wait for units of work. */
const onOne = (connection: SqliteConnection) => {
  const units = lane(connection, "begin immediate")
  return {
    dialect,
    // There are no others.
    commits: () => undefined,
    reader: {
      run: <Row>(...statement: Parameters<SqliteConnection["run"]>) =>
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
      begin: ({ control }: SqliteConnection) => control("begin")
    }
  }
}

/** One connection, which its transactions take in the order in which they came. */
const lane = (connection: SqliteConnection, begin: string): Lane<SqliteConnection> => {
  const turn = InLine.make()
  return {
    acquire: Effect.as(turn, connection),
    begin: ({ control }) => control(begin),
    wipe: () => Effect.void
  }
}
