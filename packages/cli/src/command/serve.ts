import {
  assertSettingsComplete,
  listMissingDraftsSettings,
  listMissingMailSettings,
  listMissingWeatherSettings
} from "@trailbook/server/dependentSettings"
import { runServer } from "@trailbook/server/runServer"
import { runUntilSignal } from "@trailbook/server/runUntilSignal"
import { requireEncryptionKeys } from "@trailbook/server/secrets/loadEncryptionKeys"
import process from "node:process"
import { formatEmptyDatabaseNotice, isDatabaseFileMissing } from "../database/formatEmptyDatabaseNotice.ts"
import type { CommandRunner } from "./Command.ts"
import { makeInvocation } from "./invocation.ts"
import * as Print from "./Print.ts"

export const run: CommandRunner<"serve"> = async ({ json, logFormat, ...settings }, { env }) => {
  requireEncryptionKeys("serve", settings)
  assertSettingsComplete(
    "serve",
    ...listMissingMailSettings(settings),
    ...listMissingDraftsSettings(settings),
    ...listMissingWeatherSettings(settings)
  )
  const { program, withPort } = makeInvocation("serve", env, process.argv)
  const isNew = isDatabaseFileMissing(settings.database)
  return runUntilSignal(
    (log) => runServer({ ...settings, log, withPort, awaitsDatabase: true }),
    ({ baseUrl, isEmpty }) => {
      if (json) return Print.json({ base_url: baseUrl, is_empty: isEmpty })
      const empty = isEmpty ? formatEmptyDatabaseNotice(settings.database, { isNew, program }) : []
      Print.text([`Trailbook is ready at ${baseUrl}`, ...empty, ""].join("\n"))
    },
    logFormat
  )
}
