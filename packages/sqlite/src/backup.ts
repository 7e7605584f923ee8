/** Backs up and restores a database. A backup is a single file, and can be made while the database is in use. */
import {
  CopyFailed,
  type CopySummary,
  countedTables,
  failIfBackupExists,
  linkTemporaryFile,
  listPendingMigrations,
  makeTemporaryPath,
  publishTemporaryFile,
  toCopyFailed
} from "@trailbook/sql/backup"
import type BetterSqlite3 from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs"
import { CannotOpen } from "./CannotOpen.ts"
import { open, readSchemaVersion } from "./driver.ts"
import { isDatabaseInUse } from "./isDatabaseInUse.ts"
import { migrations } from "./migrations.ts"

/**
 * Copies the database into a new file while other processes continue to read and write. The copy is a consistent
 * snapshot of the database. Never overwrites an existing file.
 */
export const backup = (filename: string, to: string): Effect.Effect<CopySummary, CannotOpen | CopyFailed> =>
  Effect.zipRight(
    failIfBackupExists(to),
    withTemporaryFile(filename, to, (temporaryPath) => linkTemporaryFile(temporaryPath, to))
  )

/**
 * Replaces a database with a backup, atomically. An existing database is replaced only if `replace` is true and no
 * process has it open. The old one is kept at the path `kept`.
 */
export const restore = (
  from: string,
  filename: string,
  { kept, replace }: {
    readonly replace: boolean
    /** The path where the old database is kept. */
    readonly kept: string
  }
): Effect.Effect<CopySummary & { readonly replaced: boolean }, CannotOpen | CopyFailed> =>
  Effect.gen(function*() {
    const replaced = existsSync(filename)
    if (!replace) yield* failIfBackupExists(filename)
    if (replaced && (yield* isDatabaseInUse(filename))) {
      return yield* new CopyFailed({ reason: "in use", message: `${filename} is in use by another process.` })
    }
    const summary = yield* withTemporaryFile(from, filename, (temporaryPath) => {
      if (replaced) linkSync(filename, kept)
      // Delete leftover logs, because SQLite would apply them to the new file.
      for (const suffix of ["-wal", "-shm"]) rmSync(filename + suffix, { force: true })
      renameSync(temporaryPath, filename)
    })
    return { ...summary, replaced }
  })

/** Copies a database into a temporary file next to the target, verifies the copy, and moves it into place. */
const withTemporaryFile = (from: string, to: string, put: (temporaryPath: string) => void) =>
  Effect.scoped(Effect.gen(function*() {
    if (!existsSync(from)) {
      return yield* new CannotOpen({ filename: from, cause: new Error("the file does not exist") })
    }
    const temporaryPath = yield* makeTemporaryPath(to)
    yield* Effect.scoped(Effect.flatMap(openDatabase(from), (driver) =>
      Effect.tryPromise({
        try: async () => {
          // Copy all pages in one step. With smaller steps, every write by another process would restart the backup.
          await driver.backup(temporaryPath, { progress: () => 2 ** 31 - 1 })
        },
        catch: toCopyFailed
      })))
    const summary = yield* checkTemporaryFile(from, temporaryPath)
    yield* publishTemporaryFile(temporaryPath, to, () => put(temporaryPath))
    return summary
  }))

const openDatabase = (filename: string) =>
  Effect.tap(
    Effect.mapError(open(filename, { fileMustExist: true }), (cause) => new CannotOpen({ filename, cause })),
    (driver) =>
      Effect.try({
        try: () => driver.pragma("query_only = on"),
        catch: (cause) => new CannotOpen({ filename, cause })
      })
  )

/** Verifies all pages and references in a copy, and that it is a Trailbook database with a supported version. */
const checkTemporaryFile = (from: string, temporaryPath: string) =>
  Effect.scoped(Effect.gen(function*() {
    const driver = yield* Effect.mapError(open(temporaryPath), (cause) => new CannotOpen({ filename: from, cause }))
    return yield* Effect.try({ try: () => readSummary(from, driver, temporaryPath), catch: toCopyError(from) })
  }))

const readSummary = (from: string, driver: BetterSqlite3.Database, temporaryPath: string): CopySummary => {
  // Turn off WAL mode, because opening the copy would otherwise create a second file.
  driver.pragma("journal_mode = delete")
  const integrityErrors = driver.prepare<[], { readonly integrity_check: string }>("pragma integrity_check(3)").all()
    .map(({ integrity_check }) => integrity_check).filter((message) => message !== "ok")
  const danglingRows = driver.prepare("pragma foreign_key_check").all().length
  if (integrityErrors.length > 0 || danglingRows > 0) {
    const problems = [
      ...integrityErrors,
      ...(danglingRows === 0 ? [] : [`${danglingRows} rows reference missing rows`])
    ]
      .join("; ")
    throw new CopyFailed({ reason: "damaged", message: `${from} is damaged: ${problems}.` })
  }
  const version = readSchemaVersion(driver)
  if (version === undefined) {
    throw new CopyFailed({ reason: "foreign", message: `${from} is not a Trailbook database.` })
  }
  const pending = listPendingMigrations(from, migrations, version)
  if (Either.isLeft(pending)) throw pending.left
  const count = (table: string) => Number(driver.prepare(`select count(*) from ${table}`).pluck().get())
  const newest = driver.prepare<[], { readonly slug: string; readonly id: number }>(
    "select o.slug, coalesce(max(e.id), 0) as id from orgs o left join events e on e.org_id = o.id group by o.slug order by o.slug"
  ).all()
  return {
    bytes: statSync(temporaryPath).size,
    rows: Object.fromEntries(countedTables.map((table) => [table, count(table)])) as CopySummary["rows"],
    newestEvents: Object.fromEntries(newest.map(({ id, slug }) => [slug, id])),
    pending: pending.right
  }
}

const toCopyError = (from: string) => (cause: unknown): CannotOpen | CopyFailed =>
  cause instanceof CopyFailed ? cause : new CannotOpen({ filename: from, cause })
