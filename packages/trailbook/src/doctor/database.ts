import { OrgStore } from "@trailbook/core/org/OrgStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import * as Zone from "@trailbook/core/time/Zone"
import { StripeProvider } from "@trailbook/stripe"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { Failure } from "../command/CommandError.ts"
import { adapter } from "../runtime/adapter.ts"
import { runProgram } from "../runtime/runProgram.ts"
import type { KeySettings } from "../secrets/loadKeys.ts"
import type { WeatherSettings } from "../server/weatherLayer.ts"
import { type DatabaseUrl, redactUrl } from "../setting/databaseUrl.ts"
import { fault, type Finding, makePassed } from "./Finding.ts"
import { payments } from "./payments.ts"
import { tasks, webhooks } from "./pendingWork.ts"
import * as Postgres from "./postgres.ts"
import { secrets } from "./secrets.ts"
import * as Sqlite from "./sqlite.ts"
import { watchedSources } from "./weather.ts"

/** What a database looks like, and when it was last written to. */
export interface DatabaseCheck {
  readonly findings: ReadonlyArray<Finding>
  /** The moment of the newest event, in epoch milliseconds. */
  readonly latest: number | undefined
}

/**
 * Looks at everything in a database that a server relies on. It changes nothing:
 * one that is not there is not made, and one whose tables are not up to date stays
 * as it is, so that whoever examines a database before an upgrade can still go
 * back.
 */
export const examine = async (settings: ExaminedSettings): Promise<DatabaseCheck> => {
  const { database } = settings
  if (database._tag === "Sqlite" && !existsSync(database.file)) {
    const fix = `Check --database, or make it with: trailbook migrate --database sqlite:${database.file}`
    return { findings: [fault("database", `there is no file ${database.file}`, fix)], latest: undefined }
  }
  try {
    return await runProgram(look(settings))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { findings: [fault("database", error.message, error.fix ?? "Try again.")], latest: undefined }
  }
}

type ExaminedSettings = KeySettings & Pick<WeatherSettings, "forecast" | "gauges"> & {
  /** Whether the providers of connected payment accounts are asked. */
  readonly askPayments: boolean
}

const look = (settings: ExaminedSettings) =>
  Effect.gen(function*() {
    const { database } = settings
    const { pending, storage } = yield* adapter(database)
    const { names } = yield* pending
    // Opening it for more would make what is missing.
    if (names.length > 0) return { findings: [outdated(database, names)], latest: undefined }
    const checks = database._tag === "Sqlite" ? Sqlite.checks : Postgres.checks
    const connected = Effect.provide(payments(settings), StripeProvider.layer())
    const [checked, { latest, zones }, unwatched, accounts, ...outgoing] = yield* Effect.provide(
      Effect.all([checks, orgs, watchedSources(settings), connected, secrets(settings), webhooks, tasks]),
      storage
    )
    return {
      findings: [
        makePassed("database", `${redactUrl(database)} opens, its tables are up to date`),
        ...checked,
        zones,
        ...unwatched,
        ...outgoing,
        ...accounts
      ],
      latest
    }
  })

const outdated = (database: DatabaseUrl, names: ReadonlyArray<string>): Finding =>
  fault(
    "database",
    `${redactUrl(database)} opens, and its tables lack: ${names.join(", ")}`,
    `Back it up, and run trailbook migrate with the same --database; a start does so, too. Then examine it again.`
  )

const orgs = Effect.gen(function*() {
  const log = yield* EventLog
  const all = yield* (yield* OrgStore).all
  const unknown = all.filter(({ timezone }) => Zone.find(timezone) === undefined)
  // The newest of many will do to see a clock that is far off.
  const newest = yield* Effect.forEach(all.slice(-100), ({ id }) => log.latest(id, 1))
  return {
    latest: newest.flat().reduce<number | undefined>(
      (latest, { createdAt }) => Math.max(latest ?? 0, createdAt),
      undefined
    ),
    zones: unknown.length === 0
      ? makePassed("outfitters", `${all.length}, all in zones that this machine knows`)
      : fault(
        "outfitters",
        `this machine knows no ${unknown.map(({ slug, timezone }) => `${timezone} (${slug})`).join(", ")}`,
        "Update Node: its zone data is older than the database's."
      )
  }
})
