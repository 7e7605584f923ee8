import { resolveFilesLocation } from "@trailbook/server/filesLayer"
import { resolveOutboxFolder } from "@trailbook/server/mailerLayer"
import { type Environment, findUnknownVariables, type SettingProblem } from "@trailbook/server/setting/readSettings"
import process from "node:process"
import { checkDatabase, type DatabaseReport } from "../doctor/checkDatabase.ts"
import { checkBackups, checkDiskSpace, checkFileStorage, checkOutbox } from "../doctor/checkDiskSpace.ts"
import { checkDrafts } from "../doctor/checkDrafts.ts"
import {
  checkDriver,
  checkNodeVersion,
  checkPort,
  checkSystemClock,
  checkTimeZoneData
} from "../doctor/checkMachine.ts"
import { checkMail } from "../doctor/checkMail.ts"
import { checkWeather } from "../doctor/checkWeather.ts"
import { type Finding, makeFailedFinding, makePassedFinding } from "../doctor/Finding.ts"
import type { CommandRunner } from "./Command.ts"
import * as Print from "./Print.ts"

export const run: CommandRunner<"doctor"> = async (
  { examinedDatabase, host, json, outbox: folder, port, secretsKeys, ...settings },
  { env, problems }
) => {
  const emptyCheck: DatabaseReport = { findings: [], latest: undefined }
  const isSqlite = examinedDatabase?._tag === "Sqlite"
  const drivers = isSqlite || examinedDatabase === undefined ? [await checkDriver()] : []
  const hasDriver = drivers.every(({ fix }) => fix === undefined)
  const { findings, latest: latestEventAt } = examinedDatabase === undefined || !hasDriver
    ? emptyCheck
    : await checkDatabase({ database: examinedDatabase, secretsKeys, ...settings })
  const outboxPath = examinedDatabase === undefined
    ? folder
    : resolveOutboxFolder({ database: examinedDatabase, outbox: folder })
  const location = examinedDatabase === undefined
    ? settings.files
    : resolveFilesLocation({ database: examinedDatabase, files: settings.files })
  const allFindings: ReadonlyArray<Finding> = [
    checkNodeVersion(process.version),
    checkTimeZoneData(process.versions.tz),
    ...drivers,
    checkSystemClock(Date.now(), latestEventAt),
    ...checkEnvironment(env, problems),
    await checkPort(host, port),
    ...(outboxPath === undefined || settings.smtpUrl !== undefined ? [] : [checkOutbox(outboxPath)]),
    ...await checkMail(settings),
    ...await checkDrafts(settings),
    ...await checkWeather(settings),
    ...(location === undefined ? [] : [await checkFileStorage(location, settings)]),
    ...(settings.backups === undefined ? [] : [checkBackups(settings.backups, Date.now())]),
    await checkDiskSpace(examinedDatabase?._tag === "Sqlite" ? examinedDatabase.file : "."),
    ...findings
  ]
  const faults = allFindings.filter(({ fix }) => fix !== undefined).length
  if (json) Print.json({ ok: faults === 0, checks: allFindings.map(toView) })
  else for (const line of allFindings.flatMap(formatFinding)) Print.line(line)
  if (!json && examinedDatabase === undefined) {
    Print.note("No database was checked. To check a database, set --database.")
  }
  if (!json) Print.note(faults === 0 ? "All checks passed." : `${faults} ${faults === 1 ? "check" : "checks"} failed.`)
  return faults === 0 ? 0 : 3
}

const toView = ({ check, fix, result }: Finding) => ({ check, ok: fix === undefined, found: result, fix: fix ?? null })

const formatFinding = ({ check, fix, result }: Finding): ReadonlyArray<string> => {
  const name = check.padEnd(width)
  return fix === undefined
    ? [`ok     ${name}${result}`]
    : [`FAULT  ${Print.formatBold(name)}${result}`, `       ${" ".repeat(width)}${fix}`]
}

/** The length of the longest check name plus one space. */
const width = "row security".length + 1

/** Reports unknown TRAILBOOK_ variables and invalid settings. */
const checkEnvironment = (env: Environment, problems: ReadonlyArray<SettingProblem>): ReadonlyArray<Finding> => {
  const faults = [
    ...problems.map(({ message, settingSource: where }) =>
      makeFailedFinding("settings", message, `Correct ${where}, or unset it.`)
    ),
    ...findUnknownVariables(env).map(({ message, settingSource: where }) =>
      makeFailedFinding(
        "settings",
        message,
        `Rename ${where} or unset it. To list all names, run trailbook help --markdown.`
      )
    )
  ]
  return faults.length > 0 ? faults : [makePassedFinding("settings", "all TRAILBOOK_ variables are known and valid")]
}
