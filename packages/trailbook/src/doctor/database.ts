/**
 * @since 0.1.0
 */
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import * as Zone from "@trailbook/core/time/Zone"
import { Database } from "@trailbook/sql/Database"
import * as SqliteDatabase from "@trailbook/sqlite/SqliteDatabase"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { Failure } from "../command/CommandError.ts"
import { runProgram } from "../runtime/runProgram.ts"
import { storage } from "../runtime/storage.ts"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"
import { fault, type Finding, well } from "./Finding.ts"

/**
 * What a database looks like, and when it was last written to.
 *
 * @since 0.1.0
 * @category models
 */
export interface Examined {
  readonly findings: ReadonlyArray<Finding>
  /** The moment of the newest event, in epoch milliseconds. */
  readonly latest: number | undefined
}

/**
 * Opens a database and looks at everything that a server relies on. One that is
 * not there is not made.
 *
 * @since 0.1.0
 * @category checks
 */
export const examine = async (database: DatabaseUrl): Promise<Examined> => {
  if (!existsSync(database.file)) {
    const fix = `Check --database, or make it with: trailbook migrate --database sqlite:${database.file}`
    return { findings: [fault("database", `there is no file ${database.file}`, fix)], latest: undefined }
  }
  try {
    return await runProgram(look(database))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const fix = "Check the path and the rights on it; a damaged file is replaced by its backup."
    return { findings: [fault("database", error.message, fix)], latest: undefined }
  }
}

const look = (database: DatabaseUrl) =>
  Effect.gen(function*() {
    const applied = yield* SqliteDatabase.migrate({ filename: database.file })
    const looked = yield* Effect.provide(Effect.all([intact, writable, settings, orgs]), storage(database))
    const [isIntact, isWritable, areSet, { latest, zones }] = looked
    const found = applied.length === 0
      ? "its tables are up to date"
      : `brought up to date just now: ${applied.join(", ")}`
    const findings = [well("database", `${database.file} opens, ${found}`), isIntact, isWritable, areSet, zones]
    return { findings, latest }
  })

const intact = Effect.gen(function*() {
  const { query } = yield* Database
  const rows = yield* query<{ readonly quick_check: string }>("pragma quick_check(5)")
  const complaints = rows.map(({ quick_check }) => quick_check).filter((said) => said !== "ok")
  return complaints.length === 0
    ? well("integrity", "quick_check finds nothing")
    : fault(
      "integrity",
      complaints.join("; "),
      "Stop the server and restore the newest backup; keep this file to examine."
    )
})

/** Begins with the write lock, as every unit of work does, and leaves nothing. */
const writable = Effect.gen(function*() {
  const { transaction } = yield* Database
  return yield* Effect.flip(transaction(Effect.fail("nothing to keep"))).pipe(
    Effect.as(well("writing", "the write lock can be had")),
    Effect.catchAllDefect((defect) =>
      Effect.succeed(fault(
        "writing",
        defect instanceof Error ? defect.message : String(defect),
        "Let this user write to the file and its folder, make room on the disk, and end what keeps the database locked."
      ))
    )
  )
})

/** Of the connection that writes: some go back to their defaults whenever a file is opened. */
const settings = Effect.gen(function*() {
  const { execute } = yield* Database
  const wrong: Array<string> = []
  for (const [name, wanted] of Object.entries(relied)) {
    const [row = {}] = yield* execute<Record<string, unknown>>(`pragma ${name}`)
    const [value] = Object.values(row)
    if (!wanted(value)) wrong.push(`${name} is ${String(value)}`)
  }
  return wrong.length === 0
    ? well("pragmas", `as they should be: ${Object.keys(relied).join(", ")}`)
    : fault(
      "pragmas",
      wrong.join(", "),
      "Put the database on a local disk: some network file systems allow no write-ahead log."
    )
})

const relied: Record<string, (value: unknown) => boolean> = {
  journal_mode: (value) => value === "wal",
  // 2 is full: what was answered survives a power cut.
  synchronous: (value) => value === 2,
  foreign_keys: (value) => value === 1,
  secure_delete: (value) => value === 1,
  busy_timeout: (value) => Number(value) > 0
}

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
      ? well("outfitters", `${all.length}, all in zones that this machine knows`)
      : fault(
        "outfitters",
        `this machine knows no ${unknown.map(({ slug, timezone }) => `${timezone} (${slug})`).join(", ")}`,
        "Update Node: its zone data is older than the database's."
      )
  }
})
