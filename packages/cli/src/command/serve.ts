import { assertComplete, draftsMissing, mailMissing, weatherMissing } from "@trailbook/server/dependentSettings"
import { runServer } from "@trailbook/server/runServer"
import { runUntilSignal } from "@trailbook/server/runUntilSignal"
import { keysRequired } from "@trailbook/server/secrets/loadKeys"
import process from "node:process"
import { emptyDatabase, isMissing } from "../database/emptyDatabase.ts"
import type { Run } from "./Command.ts"
import { startedAs } from "./invocation.ts"
import * as Print from "./Print.ts"

export const run: Run<"serve"> = async ({ json, logFormat, ...settings }, { env }) => {
  keysRequired("serve", settings)
  assertComplete("serve", ...mailMissing(settings), ...draftsMissing(settings), ...weatherMissing(settings))
  const { program, withPort } = startedAs("serve", env, process.argv)
  const isNew = isMissing(settings.database)
  return runUntilSignal(
    (log) => runServer({ ...settings, log, withPort, awaitsDatabase: true }),
    ({ baseUrl, isEmpty }) => {
      if (json) return Print.json({ base_url: baseUrl, is_empty: isEmpty })
      const empty = isEmpty ? emptyDatabase(settings.database, { isNew, program }) : []
      Print.text([`Trailbook is ready at ${baseUrl}`, ...empty, ""].join("\n"))
    },
    logFormat
  )
}
