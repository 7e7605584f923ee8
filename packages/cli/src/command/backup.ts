import type { UnusableDatabase } from "@trailbook/runtime/adapter"
import { redactUrl } from "@trailbook/runtime/setting/databaseUrl"
import { runProgram } from "@trailbook/server/runProgram"
import type { CopyFailed, CopySummary } from "@trailbook/sql/backup"
import * as Effect from "effect/Effect"
import { requireFile } from "../database/requireFile.ts"
import type { Run } from "./Command.ts"
import { contents, copyFailedMessage, formatCounts } from "./copy.ts"
import * as Print from "./Print.ts"

export const run: Run<"backup"> = async ({ backupFile, database, json }, { env }) => {
  const source = requireFile(database)
  const copy: Effect.Effect<CopySummary, CopyFailed | UnusableDatabase> = source._tag === "Sqlite"
    ? (await import("@trailbook/sqlite/backup")).backup(source.file, backupFile)
    : (await import("@trailbook/postgres/backup")).backup(source, backupFile, env)
  const summary = await runProgram(Effect.catchTag(copy, "CopyFailed", copyFailedMessage("backup")))
  if (json) {
    Print.json({ database: redactUrl(database), backup: backupFile, ...contents(summary) })
  } else {
    Print.line(`Backed up ${redactUrl(database)} to ${backupFile}: ${formatCounts(summary)}.`)
    Print.note(
      "The backup was verified. Store it separately from the encryption keys."
    )
  }
}
