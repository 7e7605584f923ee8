/**
 * @since 0.1.0
 */
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Database from "@trailbook/sql/Database"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import { CannotOpen } from "./CannotOpen.ts"
import { dialect } from "./dialect.ts"
import * as Migrations from "./migrate.ts"
import { pragma } from "./pragma.ts"
import { busyTimeoutMs, wipe } from "./wipe.ts"

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
 * nobody; a third has snapshots, which would show those reads an older state.
 *
 * Statements run on the event loop: they are answered at once, and a long one
 * keeps everybody waiting.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (config: SqliteConfig): Layer.Layer<Database.Database, CannotOpen> =>
  Layer.map(
    Layer.tap(opened(config), (context) => Effect.provide(Effect.orDie(Migrations.migrate), context)),
    Context.pick(Database.Database)
  )

/**
 * Brings the schema of a file up to date, as {@link layer} does too, and says by
 * name which changes that took.
 *
 * @since 0.1.0
 * @category effects
 */
export const migrate = (config: SqliteConfig): Effect.Effect<ReadonlyArray<string>, CannotOpen> =>
  Effect.orDie(Migrations.migrate).pipe(
    Effect.map((done) => done.map(([, name]) => name)),
    Effect.provide(opened(config))
  )

const opened = ({ filename }: SqliteConfig) =>
  Layer.scopedContext(Effect.gen(function*() {
    const unopened = (cause: unknown) => new CannotOpen({ filename, cause })
    const inMemory = filename === ":memory:"
    if (!inMemory) {
      yield* Effect.tryPromise({
        try: () => mkdir(dirname(filename), { recursive: true, mode: 0o700 }),
        catch: unopened
      })
    }
    const writer = yield* Effect.mapError(connect({ filename }), unopened)
    yield* Effect.mapError(inForce(writer), unopened)
    const database = inMemory
      ? Database.make(onOne(writer))
      : Database.make(yield* Effect.mapError(withReaders(writer, filename), unopened))
    return Context.make(Database.Database, database).pipe(Context.add(SqlClient.SqlClient, writer))
  }))

/** The library opens the file while it makes its client, and throws. */
const connect = (config: SqliteClient.SqliteClientConfig) =>
  Layer.build(SqliteClient.layer({ ...config, disableWAL: true })).pipe(
    Effect.map(Context.get(SqliteClient.SqliteClient)),
    Effect.orDie,
    Effect.catchAllDefect((defect) => Effect.fail(defect))
  )

/**
 * Settings of a connection, not of the file: `synchronous` above all goes back to
 * less than full whenever a file with a write-ahead log is opened again.
 */
const settings = [
  `busy_timeout = ${busyTimeoutMs}`,
  "journal_mode = wal",
  "synchronous = full",
  "foreign_keys = on",
  "secure_delete = on",
  // A batch of bookings touches pages of every index: with the default 2 MB they are read again for each, and the log is
  // moved into the file after every other batch.
  "cache_size = -32000",
  "wal_autocheckpoint = 4000"
]

const inForce = (writer: SqliteClient.SqliteClient) =>
  Effect.scoped(
    Effect.flatMap(writer.reserve, (connection) =>
      Effect.forEach(settings, (text) => pragma(connection, text), { discard: true }))
  ).pipe(
    // SQLite does not wait for a process that turns the log on at this moment, it says at once that the file is busy.
    Effect.retry({
      while: ({ cause }) =>
        dialect.isUnavailable(cause),
      schedule: Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(busyTimeoutMs / 50))
    })
  )

/**
 * The writer is opened first and so closed last: whoever closes last moves the
 * log into the file, and a connection that only reads cannot.
 */
const withReaders = (writer: SqliteClient.SqliteClient, filename: string) =>
  Effect.gen(function*() {
    const reader = yield* connect({ filename, readonly: true })
    const snapshots = yield* connect({ filename, readonly: true })
    return {
      dialect,
      // Nobody else takes it, and its statements are never under way when another fiber runs.
      reader: yield* reader.reserve,
      // Its locks wait for other processes from the start; a transaction that reads first would fail when it writes.
      units: { acquire: writer.reserve, begin: "begin immediate", wipe: wipe(snapshots) },
      snapshots: { acquire: snapshots.reserve, begin: "begin", wipe: () => Effect.void }
    }
  })

/** In memory there is one connection for all, and reads wait for units of work. */
const onOne = (client: SqliteClient.SqliteClient): Database.Driver => {
  const lane = { acquire: client.reserve, begin: "begin immediate", wipe: () => Effect.void }
  return {
    dialect,
    reader: {
      execute: (...statement) =>
        Effect.scoped(Effect.flatMap(client.reserve, (connection) => connection.execute(...statement)))
    },
    units: lane,
    snapshots: lane
  }
}
