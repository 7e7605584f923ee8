/**
 * Provides the storage for laws. A new database with new connections costs as much CPU time as a typical law, because
 * each connection starts a process that caches the catalog and plans every statement. The laws of a test process
 * therefore use the same database, one after the other. After each law, the database is emptied and compared with its
 * initial state. Each law has its own stores.
 *
 * Tests that inspect plans, statistics, connections, or roles need their own database from `schema.ts`.
 */
import type { Storage } from "@trailbook/core/storage"
import * as PostgresClock from "@trailbook/postgres/PostgresClock"
import * as PostgresDatabase from "@trailbook/postgres/PostgresDatabase"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import type * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { setTimeout as sleep } from "node:timers/promises"
import { Pool } from "pg"
import { assert } from "vitest"
import { createDatabase } from "../../../test/postgres/database.ts"
import { schema } from "./schema.ts"

/** A database with the adapter's open connections. */
interface ReusedDatabase {
  readonly services: Context.Context<PostgresDatabase.Services>
  /** The clock that the adapter's layer sets. */
  readonly clock: Clock.Clock
  /** Deletes all rows. Fails if the database then differs from a new database. */
  readonly empty: () => Promise<void>
  readonly close: Effect.Effect<void>
}

const open: Effect.Effect<ReusedDatabase, unknown> = Effect.gen(function*() {
  const { superuserUrl, url } = yield* Effect.promise(() => createDatabase(schema))
  const superuser = new Pool({
    connectionString: superuserUrl,
    max: 1,
    allowExitOnIdle: true,
    // Rows are deleted in any order and without the triggers that count them.
    options: "-c session_replication_role=replica"
  })
  superuser.on("error", () => {})
  const readState = yield* Effect.promise(() => stateReader(superuser))
  const initialState = yield* Effect.promise(readState)
  const scope = yield* Scope.make()
  const [services, clock] = yield* Effect.withClock(
    Effect.zip(Layer.buildWithScope(PostgresDatabase.layer({ url }), scope), Effect.clock),
    PostgresClock.real
  )
  return {
    services,
    clock,
    empty: async () => {
      await untilIdle(superuser)
      await deleteRows(superuser)
      assert.deepStrictEqual(await readState(), initialState, "The law's database cannot be reused.")
    },
    close: Scope.close(scope, Exit.void)
  }
})

/** Waits until the law's connections have ended their transactions. An interrupted law can leave a rollback behind. */
const untilIdle = async (superuser: Pool): Promise<void> => {
  for (let looks = 0; looks < 500; looks++) {
    const { rowCount } = await superuser.query({
      name: "busy",
      text: `select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' limit 1`
    })
    if (rowCount === 0) return
    await sleep(10)
  }
  throw new Error("A connection is still in a transaction 5 seconds after its law.")
}

/**
 * Deletes all rows and the statistics of the filled tables. The changes to the catalog make all connections plan their
 * statements again: a plan for an earlier law's rows can be so slow that a statement times out.
 */
const deleteRows = async (superuser: Pool): Promise<void> => {
  const { rows: tables } = await superuser.query<{ readonly name: string }>({
    name: "filled",
    text: `select oid::regclass::text as name from pg_class
      where relnamespace = 'trailbook'::regnamespace and relkind = 'r' and relname <> 'migrations'
        and pg_relation_size(oid) > 0`
  })
  if (tables.length === 0) return
  const names = tables.map(({ name }) => name)
  await superuser.query(names.map((name) => `delete from ${name}`).join(";"))
  await superuser.query(`vacuum ${names.join(", ")}`)
  await superuser.query(`with filled as (
      select oid from pg_class where oid = any ('{${names.join(", ")}}'::regclass[])
      union select indexrelid from pg_index where indrelid = any ('{${names.join(", ")}}'::regclass[])
    ), forgotten as (delete from pg_statistic where starelid in (select oid from filled))
    update pg_class set relpages = 0, reltuples = case relkind when 'r' then -1 else 0 end
      where oid in (select oid from filled)`)
}

/** Returns a function that reads the rows of all tables, the sequences, and the settings of the database. */
const stateReader = async (superuser: Pool): Promise<() => Promise<unknown>> => {
  const { rows: tables } = await superuser.query<{ readonly name: string }>(
    `select oid::regclass::text as name from pg_class
      where relnamespace = 'trailbook'::regnamespace and relkind in ('r', 'p') order by relname`
  )
  const text = `select
    (select json_agg(json_build_array(sequencename, last_value)) from pg_sequences) as sequences,
    (select json_agg(setconfig) from pg_db_role_setting s join pg_database d on d.oid = setdatabase
      where d.datname = current_database()) as settings,
    json_build_object(${
    tables.map(({ name }) => `'${name}', (select json_agg(t) from (select * from ${name} limit 100) t)`).join(", ")
  }) as rows`
  return async () => {
    const { rows: [state] } = await superuser.query({ name: "state", text })
    return state
  }
}

/** The databases that no law is using. The run drops them, and their pools close idle connections after a minute. */
const unused: Array<ReusedDatabase> = []

const reusedDatabase = Effect.acquireRelease(
  Effect.suspend(() => {
    const database = unused.pop()
    return database === undefined ? Effect.orDie(open) : Effect.succeed(database)
  }),
  (database, exit) =>
    // The database of a failed law is not reused, because a later law could fail for the same reason.
    Exit.isFailure(exit) ? database.close : Effect.promise(async () => {
      await database.empty()
      unused.push(database)
    })
)

/** Provides the adapter on an empty database. */
export const reusedStorage: Layer.Layer<PostgresDatabase.Services | Storage> = Layer.unwrapScoped(
  Effect.gen(function*() {
    const { clock, services } = yield* reusedDatabase
    yield* PostgresClock.use({ clock, tick: () => Effect.void })
    return Layer.provideMerge(SqlStorage.layer, Layer.succeedContext(services))
  })
)
