import { OperatorError } from "@trailbook/runtime/OperatorError"
import { redactUrl } from "@trailbook/runtime/setting/databaseUrl"
import {
  assertSettingsComplete,
  listMissingMailSettings,
  listMissingWeatherSettings
} from "@trailbook/server/dependentSettings"
import { runToCompletion, runUntilSignal } from "@trailbook/server/runUntilSignal"
import { runWorker, runWorkerOnce } from "@trailbook/server/runWorker"
import { requireEncryptionKeys } from "@trailbook/server/secrets/loadEncryptionKeys"
import * as Effect from "effect/Effect"
import { isDatabaseFileMissing } from "../database/formatEmptyDatabaseNotice.ts"
import type { CommandRunner } from "./Command.ts"
import * as Print from "./Print.ts"

export const run: CommandRunner<"worker"> = async ({ json, logFormat, once, ...settings }) => {
  requireEncryptionKeys("worker", settings)
  assertSettingsComplete("worker", ...listMissingMailSettings(settings), ...listMissingWeatherSettings(settings))
  const database = redactUrl(settings.database)
  // A worker may start before the server and create the database. If the path is mistyped, however, the worker would
  // never receive jobs.
  if (isDatabaseFileMissing(settings.database)) {
    Print.note(`${database} did not exist, so it was created. Check --database if you expected existing data.`)
  }
  if (!once) {
    return runUntilSignal(
      (log) => runWorker({ ...settings, log }),
      () => json ? Print.json({ database }) : Print.line(`Trailbook worker is ready on ${database}`),
      logFormat
    )
  }
  let totals: JobTotals = {}
  const hasEnded = await runToCompletion((log) =>
    Effect.map(runWorkerOnce({ ...settings, log }), (tallies) => {
      totals = tallies
    }), logFormat)
  if (!hasEnded) throw new OperatorError("Interrupted before all jobs finished.")
  if (json) Print.json(totals)
  else for (const line of lines(totals)) Print.line(line)
  return 0
}

type JobTotals = Readonly<Record<string, Readonly<Record<string, number>>>>

const lines = (totals: JobTotals): ReadonlyArray<string> =>
  Object.entries(totals).map(([job, tally]) => {
    const parts = Object.entries(tally).filter(([, n]) => n > 0).map(([kind, n]) => `${n} ${kind}`)
    return `${job}: ${parts.length === 0 ? "no work" : parts.join(", ")}`
  })
