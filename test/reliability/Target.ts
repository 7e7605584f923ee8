/** A database under test: where servers find it, and the storage through which it is looked into. */
import type { Storage } from "@trailbook/core/storage/Storage"
import * as PostgresStorage from "@trailbook/postgres/PostgresStorage"
import type { Database } from "@trailbook/sql/Database"
import * as SqliteStorage from "@trailbook/sqlite/SqliteStorage"
import * as Ledger from "@trailbook/testkit/invariant/OrgSnapshot"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { cp, mkdtemp, rm, watch } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { type Postgres, startPostgres } from "../postgres/server.ts"
import { isComplete } from "../runs.ts"
import { whenKilled } from "./whenKilled.ts"

export interface Target {
  /** As `--database` takes it. */
  readonly url: string
  /** For what servers write beside the database. */
  readonly folder: string
  /** Opened again for every use: a file that somebody has open is not recovered after a kill. */
  readonly storage: Layer.Layer<Storage | Database, unknown>
  /** Resolves when the database's files are written to next, which is while something is committed. */
  readonly written: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface PostgresTarget extends Target {
  readonly postgres: Postgres
}

export const sqlite = async (): Promise<Target> => sqliteIn(await temporary())

/** A database that nobody uses, once more. */
export const copyOf = async ({ folder }: Target): Promise<Target> => {
  const copy = await temporary()
  await cp(folder, copy.path, { recursive: true })
  return sqliteIn(copy)
}

const sqliteIn = ({ path: folder, remove }: Temporary): Target => {
  const filename = join(folder, "trailbook.sqlite")
  return {
    url: `sqlite:${filename}`,
    folder,
    storage: SqliteStorage.layer({ filename }),
    written: async () => {
      for await (const { filename } of watch(folder)) if (filename?.endsWith("-wal") === true) return
    },
    close: remove
  }
}

/**
 * A Postgres of its own with fsync on, and a database in it. The server connects as a role that is no superuser, the audit
 * as one that is, so that it also sees what row-level security hides.
 */
export const postgres = async (settings: Readonly<Record<string, string>> = {}): Promise<PostgresTarget> => {
  const { path: folder, remove } = await temporary()
  const postgres = await startPostgres({ fsync: true, settings })
  await execute(postgres.url("postgres"), "create role trailbook login nosuperuser nobypassrls")
  await execute(postgres.url("postgres"), "create database trailbook owner trailbook")
  return {
    url: postgres.url("trailbook", "trailbook"),
    folder,
    storage: PostgresStorage.layer({ url: postgres.url("trailbook") }),
    postgres,
    written: async () => {
      for await (const _ of watch(join(postgres.folder, "data/pg_wal"))) return
    },
    close: async () => {
      await postgres.stop()
      await remove()
    }
  }
}

interface Temporary {
  readonly path: string
  readonly remove: () => Promise<void>
}

const temporary = async (): Promise<Temporary> => {
  const path = await mkdtemp(join(tmpdir(), "trailbook-reliability-"))
  // The servers that use it are killed at the same moment.
  const isRemoved = whenKilled("sleep 1; rm -rf \"$1\"", path)
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true })
      isRemoved()
    }
  }
}

const execute = async (url: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** All that is stored of an org. */
export const stored = ({ storage }: Target, orgId: string): Promise<Ledger.OrgSnapshot> =>
  Effect.runPromise(
    // That a superuser sees everything is the point here, and nothing to be warned of.
    Effect.provide(Ledger.read(orgId), storage).pipe(Logger.withMinimumLogLevel(LogLevel.Error))
  )

/** Both databases with `TEST_LONG=all`. CI tests a scenario on one database, because each run takes a minute. */
export const databases = (database: "SQLite" | "Postgres") =>
  ([["SQLite", sqlite], ["Postgres", () => postgres()]] as const).filter(([name]) => isComplete || name === database)
