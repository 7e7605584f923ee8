import { backup } from "@trailbook/sqlite/backup"
import * as Effect from "effect/Effect"
import { requireFile } from "../runtime/requireFile.ts"
import { runProgram } from "../runtime/runProgram.ts"
import { redactUrl } from "../setting/databaseUrl.ts"
import type { Run } from "./Command.ts"
import * as Print from "./Print.ts"
import { contents, copyFailedMessage, sqliteFile } from "./sqliteCopy.ts"

export const run: Run<"backup"> = async ({ backupFile, database, json }) => {
  const file = sqliteFile("backup", requireFile(database), backupFile)
  const copied = await runProgram(Effect.catchTag(backup(file, backupFile), "CopyFailed", copyFailedMessage("backup")))
  if (json) {
    Print.json({ database: redactUrl(database), backup: backupFile, ...contents(copied) })
  } else {
    const { bookings, customers, orgs } = copied.rows
    Print.line(
      `Backed up ${file} to ${backupFile}: ${orgs} outfitters, ${bookings} bookings, ${customers} guests.`
    )
    Print.note(
      "The copy was verified. Store it separately from the encryption keys of stored secrets."
    )
  }
}
