/**
 * @since 0.1.0
 */
import * as SqliteDatabase from "@trailbook/sqlite/SqliteDatabase"
import { runProgram } from "../runtime/runProgram.ts"
import type { Run } from "./Command.ts"
import * as Print from "./Print.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const run: Run<"migrate"> = async ({ database, json }) => {
  const applied = await runProgram(SqliteDatabase.migrate({ filename: database.file }))
  if (json) Print.json({ database: database.file, applied })
  else if (applied.length === 0) Print.line(`${database.file} is up to date; there was nothing to do.`)
  else Print.line(`${database.file} is up to date; done: ${applied.join(", ")}.`)
  return 0
}
