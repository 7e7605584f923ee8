import { loadAdapter } from "@trailbook/runtime/loadAdapter"
import { type DatabaseUrl, redactUrl } from "@trailbook/runtime/setting/databaseUrl"
import { runProgram } from "@trailbook/server/runProgram"
import { UsageError } from "@trailbook/server/setting/UsageError"
import * as Effect from "effect/Effect"
import type { CommandRunner } from "./Command.ts"
import * as Print from "./Print.ts"

export const run: CommandRunner<"migrate"> = async ({ check, database, json, print }) => {
  if (check && print) throw new UsageError("Use either --check or --print, not both.", "migrate")
  if (check) return checkMigrations(database, json)
  if (print) return printMigrations(database, json)
  const appliedNames = await runProgram(Effect.flatMap(loadAdapter(database), ({ migrate }) => migrate))
  const name = redactUrl(database)
  if (json) Print.json({ database: name, applied: appliedNames })
  else if (appliedNames.length === 0) Print.line(`${name} is up to date. No migrations were pending.`)
  else Print.line(`${name} was migrated: ${appliedNames.join(", ")}.`)
  return 0
}

const pendingOf = (database: DatabaseUrl) => runProgram(Effect.flatMap(loadAdapter(database), ({ pending }) => pending))

const checkMigrations = async (database: DatabaseUrl, json: boolean): Promise<0 | 1> => {
  const { names } = await pendingOf(database)
  const name = redactUrl(database)
  if (json) Print.json({ database: name, pending: names })
  else if (names.length === 0) Print.line(`${name} is up to date.`)
  else Print.line(`${name} is not up to date. Pending migrations: ${names.join(", ")}.`)
  return names.length === 0 ? 0 : 1
}

const printMigrations = async (database: DatabaseUrl, json: boolean): Promise<0> => {
  const { names, statements } = await pendingOf(database)
  const sql = statements.map((statement) => `${statement.trim()};`)
  if (json) Print.json({ database: redactUrl(database), pending: names, statements })
  else if (sql.length > 0) Print.line(sql.join("\n\n"))
  if (!json && sql.length === 0) Print.note(`${redactUrl(database)} is up to date. No migrations are pending.`)
  return 0
}
