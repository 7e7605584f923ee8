/**
 * What backing up and restoring have in common.
 */
import type { CopyFailed, CopySummary } from "@trailbook/sqlite/backup"
import * as Effect from "effect/Effect"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"
import { Failure } from "./CommandError.ts"

/**
 * The file of a SQLite database. Postgres brings its own tools, which do more than
 * we could: of that the message has the command.
 *
 * @category getters
 * @throws Failure
 */
export const sqliteFile = (command: "backup" | "restore", database: DatabaseUrl, file: string): string => {
  if (database._tag === "Sqlite") return database.file
  const url = new URL(database.url)
  url.password = ""
  throw new Failure(
    `trailbook ${command} is for SQLite files. Postgres has tools of its own:`,
    command === "backup"
      ? `  pg_dump --format=custom --schema=${database.schema} --file=${file} "${url.href}"`
      : `  pg_restore --exit-on-error --single-transaction --dbname="${url.href}" ${file}`
  )
}

/**
 * The words of what was not copied, and what to do.
 *
 * @category converting
 */
export const copyFailedMessage =
  (command: "backup" | "restore") => ({ message, reason }: CopyFailed): Effect.Effect<never, Failure> =>
    Effect.fail(new Failure(message, fixes[command][reason]))

const fixes: Record<"backup" | "restore", Record<CopyFailed["reason"], string>> = {
  backup: {
    exists: "Choose another name for the backup.",
    "in use": "Try again.",
    damaged: "Stop the server and restore the newest backup that is good; keep this file to examine.",
    foreign: "Check --database.",
    failed: "Check that the folder of the backup can be written to and has room."
  },
  restore: {
    exists: "With --replace the backup takes its place; what is there now is kept beside it.",
    "in use": "Stop the server and its workers first.",
    damaged: "Take an older backup.",
    foreign: "Check the backup's name; one of a later version needs that version.",
    failed: "Check that the folder of the database can be written to and has room."
  }
}

/**
 * A copy as JSON.
 *
 * @category converting
 */
export const contents = ({ bytes, newestEvents, pending, rows }: CopySummary) => ({
  bytes,
  rows,
  newest_events: newestEvents,
  pending
})
