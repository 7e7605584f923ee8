/**
 * Shared backup code for all databases. A backup is written to a temporary file, which gets its final name only once
 * the backup is complete and verified. A crash can leave the temporary file behind, but a partial backup never has the
 * final name.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import process from "node:process"
import * as Migrate from "./schema/migrate.ts"

/** A summary of a copy's contents. */
export interface CopySummary {
  readonly bytes: number
  /** Row counts of the main tables. */
  readonly rows: Readonly<Record<(typeof countedTables)[number], number>>
  /** The latest event ID of each org, by slug. After a restore, clients that poll events resume from this position. */
  readonly newestEvents: Readonly<Record<string, number>>
  /** The migrations that the copy lacks. The next start applies them. */
  readonly pending: ReadonlyArray<string>
}

export const countedTables = ["orgs", "offerings", "customers", "bookings", "events"] as const

/** Reports that a copy failed. Existing files and databases are unchanged. */
export class CopyFailed extends Data.TaggedError("CopyFailed")<{
  readonly reason: "exists" | "in use" | "damaged" | "foreign" | "failed"
  readonly message: string
  /** A suggested fix to show instead of the default one for `reason`. */
  readonly fix?: string
}> {}

/** Creates a file's folder and returns the path of a temporary file in it, which is removed when the scope closes. */
export const makeTemporaryPath = (to: string): Effect.Effect<string, CopyFailed, Scope.Scope> => {
  const temporaryPath = `${to}.${process.pid}.tmp`
  return Effect.zipRight(
    tryFileAccess(() => mkdirSync(dirname(to), { recursive: true, mode: 0o700 })),
    Effect.acquireRelease(
      Effect.succeed(temporaryPath),
      () => Effect.sync(() => rmSync(temporaryPath, { force: true }))
    )
  )
}

/**
 * Moves a complete temporary file into place with `put`. Flushes the contents to disk before the move, and the name
 * after the move.
 */
export const publishTemporaryFile = (
  temporaryPath: string,
  to: string,
  put: () => void
): Effect.Effect<void, CopyFailed> =>
  tryFileAccess(() => {
    // The file contains guests' personal data.
    chmodSync(temporaryPath, 0o600)
    flush(temporaryPath)
    put()
    flush(dirname(to))
  })

/**
 * Gives a temporary file its final name by creating a hard link. A rename would overwrite a file that another process
 * has just created.
 */
export const linkTemporaryFile = (temporaryPath: string, to: string): void => {
  linkSync(temporaryPath, to)
  rmSync(temporaryPath)
}

export const failIfBackupExists = (file: string): Effect.Effect<void, CopyFailed> =>
  existsSync(file)
    ? new CopyFailed({ reason: "exists", message: `${file} already exists and was not overwritten.` })
    : Effect.void

/** Returns the names of the migrations that are pending for a copy with this schema version. */
export const listPendingMigrations = (
  from: string,
  migrations: Migrate.Migrations,
  version: Migrate.SchemaVersion
): Either.Either<ReadonlyArray<string>, CopyFailed> =>
  Either.mapBoth(Migrate.findPendingMigrations(migrations, version, { table: "migrations" }), {
    onLeft: ({ message }) => new CopyFailed({ reason: "foreign", message: `Cannot use ${from}: ${message}.` }),
    onRight: ({ names }) => names
  })

export const toCopyFailed = (cause: unknown): CopyFailed =>
  new CopyFailed({ reason: "failed", message: cause instanceof Error ? cause.message : String(cause) })

const tryFileAccess = (act: () => void): Effect.Effect<void, CopyFailed> =>
  Effect.try({
    try: act,
    catch: (cause) =>
      cause instanceof Error && "code" in cause && cause.code === "EEXIST"
        ? new CopyFailed({
          reason: "exists",
          message: "Another process created the file first. The file was not overwritten."
        })
        : toCopyFailed(cause)
  })

/** Flushes a file or folder to disk, so that a power failure cannot lose the backup. */
const flush = (path: string): void => {
  const handle = openSync(path, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
