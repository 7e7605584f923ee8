import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import type { DatabaseOpenError } from "@trailbook/runtime/loadAdapter"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import { type PostgresUrl, redactUrl, type SqliteFile } from "@trailbook/runtime/setting/databaseUrl"
import { runProgram } from "@trailbook/server/runProgram"
import { UsageError } from "@trailbook/server/setting/UsageError"
import type { CopyFailed, CopySummary } from "@trailbook/sql/backup"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { requireDatabaseFile } from "../database/withDatabase.ts"
import type { CommandContext, CommandRunner } from "./Command.ts"
import * as Print from "./Print.ts"

export const backup: CommandRunner<"backup"> = async ({ backupFile, database, json }, { env }) => {
  const source = requireDatabaseFile(database)
  const copy: Effect.Effect<CopySummary, CopyFailed | DatabaseOpenError> = source._tag === "Sqlite"
    ? (await import("@trailbook/sqlite/backup")).backup(source.file, backupFile)
    : (await import("@trailbook/postgres/backup")).backup(source, backupFile, env)
  const summary = await runProgram(Effect.catchTag(copy, "CopyFailed", failCopy("backup")))
  if (json) {
    Print.json({ database: redactUrl(database), backup: backupFile, ...toSummaryJson(summary) })
  } else {
    Print.line(`Backed up ${redactUrl(database)} to ${backupFile}: ${formatCounts(summary)}.`)
    Print.note(
      "The backup was verified. Store it separately from the encryption keys."
    )
  }
}

export const restore: CommandRunner<"restore"> = async ({ backupFile, database, json, replace }, { env }) => {
  if (!existsSync(backupFile)) throw new OperatorError(`The backup ${backupFile} does not exist.`)
  const { kept, ...summary } = database._tag === "Sqlite"
    ? await restoreSqlite(backupFile, database, replace)
    : await restorePostgres(backupFile, database, replace, env)
  const name = redactUrl(database)
  if (json) return Print.json({ database: name, backup: backupFile, kept: kept ?? null, ...toSummaryJson(summary) })
  Print.line(`Restored ${name} from ${backupFile}: ${formatCounts(summary)}.`)
  if (kept !== undefined) Print.line(`The previous database was kept as ${kept}.`)
  for (const [slug, id] of Object.entries(summary.newestEvents)) {
    Print.line(`The newest event in ${slug} is ${id}. API clients that poll events must resume with after=${id}.`)
  }
  Print.note(
    `Check the database before you start the server: trailbook doctor --database ${
      database._tag === "Sqlite" ? `sqlite:${database.file}` : "postgres://…"
    }`
  )
}

const restoreSqlite = async (from: string, { file }: SqliteFile, replace: boolean) => {
  const { restore } = await import("@trailbook/sqlite/backup")
  return runProgram(Effect.gen(function*() {
    const keptFile = `${file}.before-${Instant.format(yield* currentTime).replace(/[:.]/g, "-")}`
    const summary = yield* Effect.catchTag(
      restore(from, file, { replace, kept: keptFile }),
      "CopyFailed",
      failCopy("restore")
    )
    return { ...summary, kept: summary.replaced ? keptFile : undefined }
  }))
}

const restorePostgres = async (
  from: string,
  database: PostgresUrl,
  replace: boolean,
  env: CommandContext["env"]
) => {
  if (replace) {
    throw new UsageError(
      "--replace supports only SQLite. On Postgres, create an empty database and restore into it.",
      "restore"
    )
  }
  const { restore } = await import("@trailbook/postgres/backup")
  const summary = await runProgram(
    Effect.catchTag(restore(from, database, env), "CopyFailed", failCopy("restore"))
  )
  return { ...summary, kept: undefined }
}

/** Converts a failed copy to a `OperatorError` that tells the user how to fix it. */
const failCopy =
  (command: "backup" | "restore") => ({ fix, message, reason }: CopyFailed): Effect.Effect<never, OperatorError> =>
    Effect.fail(new OperatorError(message, fix ?? fixes[command][reason]))

const fixes: Record<"backup" | "restore", Record<CopyFailed["reason"], string>> = {
  backup: {
    exists: "Choose a different file name for the backup.",
    "in use": "Retry later.",
    damaged: "Stop the server and restore the newest intact backup. Keep this file for analysis.",
    foreign: "Check --database.",
    failed: "Check that the backup folder is writable and has free space."
  },
  restore: {
    exists: "Use --replace to replace the database. The existing database is kept in the same folder.",
    "in use": "First, stop all servers and workers that use the database.",
    damaged: "Use an older backup.",
    foreign: "Check the path. To restore a backup from a newer version, upgrade to that version first.",
    failed: "Check that the database folder is writable and has free space."
  }
}

/** Formats the row counts in a copy. */
const formatCounts = ({ rows: { bookings, customers, orgs } }: CopySummary): string =>
  `${orgs} outfitters, ${bookings} bookings, ${customers} guests`

/** Converts a copy's summary to JSON. */
const toSummaryJson = ({ bytes, newestEvents, pending, rows }: CopySummary) => ({
  bytes,
  rows,
  newest_events: newestEvents,
  pending
})
