/** Helpers of `backup` and `restore`. */
import type { CopyFailed, CopySummary } from "@trailbook/sqlite/backup"
import * as Effect from "effect/Effect"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"
import { Failure } from "./CommandError.ts"

/**
 * Returns the file of a SQLite database.
 *
 * @throws Failure for Postgres, with the `pg_dump` or `pg_restore` command to use instead
 */
export const sqliteFile = (command: "backup" | "restore", database: DatabaseUrl, file: string): string => {
  if (database._tag === "Sqlite") return database.file
  const url = new URL(database.url)
  url.password = ""
  throw new Failure(
    `trailbook ${command} supports only SQLite. For Postgres, run:`,
    command === "backup"
      ? `  pg_dump --format=custom --schema=${database.schema} --file=${file} "${url.href}"`
      : `  pg_restore --exit-on-error --single-transaction --dbname="${url.href}" ${file}`
  )
}

/** Converts a failed copy to a failure with a fix. */
export const copyFailedMessage =
  (command: "backup" | "restore") => ({ message, reason }: CopyFailed): Effect.Effect<never, Failure> =>
    Effect.fail(new Failure(message, fixes[command][reason]))

const fixes: Record<"backup" | "restore", Record<CopyFailed["reason"], string>> = {
  backup: {
    exists: "Choose another file name for the backup.",
    "in use": "Retry later.",
    damaged: "Stop the server and restore the newest intact backup. Keep this file for analysis.",
    foreign: "Check --database.",
    failed: "Check that the folder of the backup is writable and has free space."
  },
  restore: {
    exists: "Use --replace to replace it. The existing database is kept next to it.",
    "in use": "Stop all servers and workers of the database first.",
    damaged: "Use an older backup.",
    foreign: "Check the path. A backup from a newer version requires that version.",
    failed: "Check that the folder of the database is writable and has free space."
  }
}

/** Converts the summary of a copy to JSON. */
export const contents = ({ bytes, newestEvents, pending, rows }: CopySummary) => ({
  bytes,
  rows,
  newest_events: newestEvents,
  pending
})
