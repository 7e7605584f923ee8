import process from "node:process"
import { keysRequired } from "../secrets/keysOf.ts"
import { runServer } from "../server/runServer.ts"
import { complete, draftsMissing, mailMissing, skyMissing } from "../server/together.ts"
import { untilSignal } from "../server/untilSignal.ts"
import type { Run } from "./Command.ts"
import { emptyDatabase, isMissing } from "./emptyDatabase.ts"
import * as Print from "./Print.ts"
import { startedAs } from "./startedAs.ts"

/**
 * @category commands
 */
export const run: Run<"serve"> = async ({ json, logFormat, ...settings }, { env }) => {
  keysRequired("serve", settings)
  complete("serve", ...mailMissing(settings), ...draftsMissing(settings), ...skyMissing(settings))
  const { program, withPort } = startedAs("serve", env, process.argv)
  const isNew = isMissing(settings.database)
  return untilSignal(
    (log) => runServer({ ...settings, log, withPort }),
    ({ baseUrl, isEmpty }) => {
      if (json) return Print.json({ base_url: baseUrl, is_empty: isEmpty })
      const empty = isEmpty ? emptyDatabase(settings.database, { isNew, program }) : []
      Print.text([`Trailbook is ready at ${baseUrl}`, ...empty, ""].join("\n"))
    },
    logFormat
  )
}
