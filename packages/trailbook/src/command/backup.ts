import { backup } from "@trailbook/sqlite/backup"
import * as Effect from "effect/Effect"
import { existing } from "../runtime/existing.ts"
import { runProgram } from "../runtime/runProgram.ts"
import { shown } from "../setting/databaseUrl.ts"
import type { Run } from "./Command.ts"
import { contents, notCopied, sqliteFile } from "./copies.ts"
import * as Print from "./Print.ts"

/**
 * @category commands
 */
export const run: Run<"backup"> = async ({ backupFile, database, json }) => {
  const file = sqliteFile("backup", existing(database), backupFile)
  const copied = await runProgram(Effect.catchTag(backup(file, backupFile), "NotCopied", notCopied("backup")))
  if (json) {
    Print.json({ database: shown(database), backup: backupFile, ...contents(copied) })
  } else {
    const { bookings, customers, orgs } = copied.rows
    Print.line(
      `${backupFile} holds ${file} as it was just now: ${orgs} outfitters, ${bookings} bookings, ${customers} guests.`
    )
    Print.note(
      "It was checked from end to end. Keep it elsewhere than the keys that webhooks' secrets are sealed with."
    )
  }
}
