import { OrgStore } from "@trailbook/core/org"
import { EventLog } from "@trailbook/core/port"
import * as Zone from "@trailbook/core/time/Zone"
import { loadAdapter } from "@trailbook/runtime/loadAdapter"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import type { WeatherSettings } from "@trailbook/runtime/service/weatherLayers"
import { type DatabaseUrl, redactUrl } from "@trailbook/runtime/setting/databaseUrl"
import { runProgram } from "@trailbook/server/runProgram"
import type { EncryptionKeySettings } from "@trailbook/server/secrets/loadEncryptionKeys"
import { StripeProvider } from "@trailbook/stripe"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { checkPayments } from "./checkPayments.ts"
import { checkTasks, checkWebhooks } from "./checkPendingWork.ts"
import * as Postgres from "./checkPostgres.ts"
import { checkSecrets } from "./checkSecrets.ts"
import * as Sqlite from "./checkSqlite.ts"
import { checkWeatherUse } from "./checkWeather.ts"
import { type Finding, makeFailedFinding, makePassedFinding } from "./Finding.ts"

/** The findings for a database, and the time of its last event. */
export interface DatabaseReport {
  readonly findings: ReadonlyArray<Finding>
  /** The time of the newest event, in epoch milliseconds. */
  readonly latest: number | undefined
}

/**
 * Checks everything that a server relies on in a database. Does not create or migrate the database, so an operator can
 * run the checks before an upgrade and still keep the old version.
 */
export const checkDatabase = async (settings: ExaminedSettings): Promise<DatabaseReport> => {
  const { database } = settings
  if (database._tag === "Sqlite" && !existsSync(database.file)) {
    const fix = `Check --database, or create the database: trailbook migrate --database sqlite:${database.file}`
    return {
      findings: [makeFailedFinding("database", `the file ${database.file} does not exist`, fix)],
      latest: undefined
    }
  }
  try {
    return await runProgram(examineDatabase(settings))
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return { findings: [makeFailedFinding("database", error.message, error.fix ?? "Retry.")], latest: undefined }
  }
}

type ExaminedSettings = EncryptionKeySettings & Pick<WeatherSettings, "forecast" | "gauges"> & {
  /** Whether to call the providers of connected payment accounts. */
  readonly askPayments: boolean
}

const examineDatabase = (settings: ExaminedSettings) =>
  Effect.gen(function*() {
    const { database } = settings
    const { pending, storage } = yield* loadAdapter(database)
    const { names } = yield* pending
    // Stop here, because loading the storage would apply the pending migrations.
    if (names.length > 0) return { findings: [pendingMigrations(database, names)], latest: undefined }
    const checks = database._tag === "Sqlite" ? Sqlite.checkSqlite : Postgres.checkPostgres
    const paymentChecks = Effect.provide(checkPayments(settings), StripeProvider.layer())
    const [dbFindings, { latest, zones: zoneFinding }, sourceFindings, paymentFindings, ...otherFindings] =
      yield* Effect.provide(
        Effect.all([
          checks,
          orgCheck,
          checkWeatherUse(settings),
          paymentChecks,
          checkSecrets(settings),
          checkWebhooks,
          checkTasks
        ]),
        storage
      )
    return {
      findings: [
        makePassedFinding("database", `${redactUrl(database)} is accessible and up to date`),
        ...dbFindings,
        zoneFinding,
        ...sourceFindings,
        ...otherFindings,
        ...paymentFindings
      ],
      latest
    }
  })

const pendingMigrations = (database: DatabaseUrl, names: ReadonlyArray<string>): Finding =>
  makeFailedFinding(
    "database",
    `${redactUrl(database)} has pending migrations: ${names.join(", ")}`,
    "Back up the database. Then run trailbook migrate with the same --database, or start a server, which also migrates. " +
      "Then run doctor again."
  )

const orgCheck = Effect.gen(function*() {
  const log = yield* EventLog
  const orgs = yield* (yield* OrgStore).all
  const orgsWithUnknownZone = orgs.filter(({ timezone }) => Zone.find(timezone) === undefined)
  // Events from 100 orgs are enough to detect a clock that is far off.
  const newest = yield* Effect.forEach(orgs.slice(-100), ({ id }) => log.latest(id, 1))
  return {
    latest: newest.flat().reduce<number | undefined>(
      (latest, { createdAt }) => Math.max(latest ?? 0, createdAt),
      undefined
    ),
    zones: orgsWithUnknownZone.length === 0
      ? makePassedFinding("outfitters", `${orgs.length}, all with known time zones`)
      : makeFailedFinding(
        "outfitters",
        `unknown time zones: ${orgsWithUnknownZone.map(({ slug, timezone }) => `${timezone} (${slug})`).join(", ")}`,
        "Update Node to get newer time zone data."
      )
  }
})
