import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { Failure } from "@trailbook/runtime/Failure"
import { type PostgresUrl, redactUrl, type SqliteFile } from "@trailbook/runtime/setting/databaseUrl"
import { runProgram } from "@trailbook/server/runProgram"
import { UsageError } from "@trailbook/server/setting/UsageError"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import type { CommandContext, Run } from "./Command.ts"
import { contents, copyFailedMessage, formatCounts } from "./copy.ts"
import * as Print from "./Print.ts"

export const run: Run<"restore"> = async ({ backupFile, database, json, replace }, { env }) => {
  if (!existsSync(backupFile)) throw new Failure(`The backup ${backupFile} does not exist.`)
  const { kept, ...summary } = database._tag === "Sqlite"
    ? await restoreSqlite(backupFile, database, replace)
    : await restorePostgres(backupFile, database, replace, env)
  const name = redactUrl(database)
  if (json) return Print.json({ database: name, backup: backupFile, kept: kept ?? null, ...contents(summary) })
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
      copyFailedMessage("restore")
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
    Effect.catchTag(restore(from, database, env), "CopyFailed", copyFailedMessage("restore"))
  )
  return { ...summary, kept: undefined }
}
