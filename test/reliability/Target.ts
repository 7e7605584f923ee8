/** A database under test: its URL for servers, and the storage through which the audit reads it. */
import type { Storage } from "@trailbook/core/storage"
import * as PostgresStorage from "@trailbook/postgres"
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
import { Client, type QueryResultRow } from "pg"
import { type Postgres, startPostgres } from "../postgres/server.ts"
import { isComplete } from "../runs.ts"
import { whenKilled } from "./whenKilled.ts"

export interface Target {
  /** The value of `--database`. */
  readonly url: string
  /** The directory for the servers' other files, such as sent mail. */
  readonly folder: string
  /**
   * The storage is opened separately for each use, because SQLite does not recover a file after a kill while another
   * process has it open.
   */
  readonly storage: Layer.Layer<Storage | Database, unknown>
  /** Resolves on the next write to the database files, which happens during a commit. */
  readonly written: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface PostgresTarget extends Target {
  readonly postgres: Postgres
}

export const sqlite = async (): Promise<Target> => makeSqliteTarget(await createTempFolder())

/** Copies a database. No process may have the database open. */
export const copyOf = async ({ folder }: Target): Promise<Target> => {
  const copy = await createTempFolder()
  await cp(folder, copy.path, { recursive: true })
  return makeSqliteTarget(copy)
}

const makeSqliteTarget = ({ path: folder, remove }: TempFolder): Target => {
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
 * Starts a separate Postgres with `fsync` on and creates a database in it. Servers connect as a role without
 * superuser rights. The audit connects as a superuser and therefore also reads rows that row-level security hides.
 */
export const postgres = async (settings: Readonly<Record<string, string>> = {}): Promise<PostgresTarget> => {
  const { path: folder, remove } = await createTempFolder()
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

export interface TempFolder {
  readonly path: string
  readonly remove: () => Promise<void>
}

export const createTempFolder = async (): Promise<TempFolder> => {
  const path = await mkdtemp(join(tmpdir(), "trailbook-reliability-"))
  // The shell that kills the servers runs concurrently, so wait for it.
  const isRemoved = whenKilled("sleep 1; rm -rf \"$1\"", path)
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true })
      isRemoved()
    }
  }
}

export const execute = async (url: string, statement: string): Promise<ReadonlyArray<QueryResultRow>> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<QueryResultRow>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Reads all of an org's stored data. */
export const readSnapshot = ({ storage }: Target, orgId: string): Promise<Ledger.OrgSnapshot> =>
  Effect.runPromise(
    // Hide the warning about superusers: this reader must bypass row-level security.
    Effect.provide(Ledger.readOrgSnapshot(orgId), storage).pipe(Logger.withMinimumLogLevel(LogLevel.Error))
  )

/**
 * Returns both databases with `TEST_LONG=all`, or only this one without it. CI tests a scenario on one database,
 * because each run takes a minute.
 */
export const databases = (database: "SQLite" | "Postgres") =>
  ([["SQLite", sqlite], ["Postgres", () => postgres()]] as const).filter(([name]) => isComplete || name === database)
