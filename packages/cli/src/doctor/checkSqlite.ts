import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import { checkWrites } from "./checkWrites.ts"
import { makeFailedFinding, makePassedFinding } from "./Finding.ts"

const integrityCheck = Effect.gen(function*() {
  const { query } = yield* Database
  const rows = yield* query<{ readonly quick_check: string }>("pragma quick_check(5)")
  const complaints = rows.map(({ quick_check }) => quick_check).filter((line) => line !== "ok")
  return complaints.length === 0
    ? makePassedFinding("integrity", "quick_check found no errors")
    : makeFailedFinding(
      "integrity",
      complaints.join("; "),
      "Stop the server and restore the newest backup. Keep this file for analysis."
    )
})

/** Checks the pragmas on the writing connection. Some of them revert to their defaults each time the file is opened. */
const pragmaCheck = Effect.gen(function*() {
  const { execute } = yield* Database
  const problems: Array<string> = []
  for (const [name, isCorrect] of Object.entries(requiredPragmas)) {
    const [row = {}] = yield* execute<Record<string, unknown>>(`pragma ${name}`)
    const [value] = Object.values(row)
    if (!isCorrect(value)) problems.push(`${name} is ${String(value)}`)
  }
  return problems.length === 0
    ? makePassedFinding("pragmas", `correct: ${Object.keys(requiredPragmas).join(", ")}`)
    : makeFailedFinding(
      "pragmas",
      problems.join(", "),
      "Move the database to a local disk. Some network file systems do not support a write-ahead log."
    )
})

const requiredPragmas: Record<string, (value: unknown) => boolean> = {
  journal_mode: (value) => value === "wal",
  // The value 2 is FULL, which means that committed data survives a power loss.
  synchronous: (value) => value === 2,
  foreign_keys: (value) => value === 1,
  secure_delete: (value) => value === 1,
  busy_timeout: (value) => Number(value) > 0
}

/**
 * Detects a wrong clock. If a hold has expired but its expiry time is in the future, the clock was ahead when the hold
 * expired or has been set back since.
 */
const clockCheck = Effect.gen(function*() {
  const { query } = yield* Database
  const now = yield* currentTime
  const [row] = yield* query<{ readonly places: number; readonly latest: Instant.Instant | null }>(
    `select count(*) as places, max(judged_at) as latest
      from (select judged_at from offerings union all select judged_at from sessions) where judged_at > $1`,
    [now]
  )
  return row === undefined || row.latest === null
    ? makePassedFinding("clocks", "no holds have expired early because of a fast clock")
    : makeFailedFinding(
      "clocks",
      `holds expired early because a clock was ahead, most recently at ${
        Instant.format(row.latest)
      }; affected sessions and offerings: ${row.places}`,
      "Set the clock, and synchronize it with NTP. Until then, new holds can expire early. No spot is sold twice."
    )
})

/** The checks for a SQLite database. */
export const checkSqlite = Effect.all([
  integrityCheck,
  checkWrites(
    "Check that the file and its folder are writable, that the disk has free space, and that no other program locks the database."
  ),
  pragmaCheck,
  clockCheck
])
