import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { restore } from "@trailbook/sqlite/backup"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { runProgram } from "../runtime/runProgram.ts"
import { redactUrl } from "../setting/databaseUrl.ts"
import type { Run } from "./Command.ts"
import { Failure } from "./CommandError.ts"
import * as Print from "./Print.ts"
import { contents, copyFailedMessage, sqliteFile } from "./sqliteCopy.ts"

export const run: Run<"restore"> = async ({ backupFile, database, json, replace }) => {
  const file = sqliteFile("restore", database, backupFile)
  if (!existsSync(backupFile)) throw new Failure(`The backup ${backupFile} does not exist.`)
  const { copied, kept } = await runProgram(Effect.gen(function*() {
    const kept = `${file}.before-${Instant.format(yield* currentTime).replace(/[:.]/g, "-")}`
    const copied = yield* Effect.catchTag(
      restore(backupFile, file, { replace, kept }),
      "CopyFailed",
      copyFailedMessage("restore")
    )
    return { copied, kept: copied.replaced ? kept : undefined }
  }))
  if (json) {
    return Print.json({ database: redactUrl(database), backup: backupFile, kept: kept ?? null, ...contents(copied) })
  }
  const { bookings, customers, orgs } = copied.rows
  Print.line(`Restored ${file} from ${backupFile}: ${orgs} outfitters, ${bookings} bookings, ${customers} guests.`)
  if (kept !== undefined) Print.line(`The previous database was kept as ${kept}.`)
  for (const [slug, id] of Object.entries(copied.newestEvents)) {
    Print.line(`The newest event of ${slug} is ${id}. API clients that poll events must continue with after=${id}.`)
  }
  Print.note(`Check the database before you start the server: trailbook doctor --database sqlite:${file}`)
}
